#include "runtime/native/compiler.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

extern char** environ;

namespace tine {
namespace {

bool is_program(const std::string& path, struct stat& info) {
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

// Like the shell: a name with a slash is a path.
std::string search(const std::string& name, struct stat& info) {
  if (name.find('/') != std::string::npos) {
    return is_program(name, info) ? name : "";
  }
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    std::size_t end = std::min(folders.find(':', at), folders.size());
    std::string file = folders.substr(at, end - at) + "/" + name;
    if (end > at && is_program(file, info)) return file;
    at = end + 1;
  }
  return "";
}

CCompiler found(const std::string& name) {
  CCompiler compiler;
  compiler.name = name;
  struct stat info;
  compiler.path = search(name, info);
  if (compiler.path.empty()) return compiler;
  char* real = realpath(compiler.path.c_str(), nullptr);
  std::string target = real ? real : compiler.path;
  std::free(real);
  compiler.clang = target.find("clang") != std::string::npos;
  compiler.identity = target + " " + std::to_string(info.st_size) + " " +
                      std::to_string(info.st_mtime);
  return compiler;
}

struct SpawnFiles {
  SpawnFiles() { posix_spawn_file_actions_init(&actions); }
  ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions); }
  posix_spawn_file_actions_t actions;
};

struct SpawnAttributes {
  SpawnAttributes() { posix_spawnattr_init(&attributes); }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes); }
  posix_spawnattr_t attributes;
};

// Starts a process group of its own, so that a compiler that hangs can be
// ended with all it started. 0 or an errno.
int start(const std::vector<std::string>& command, const std::string& log,
          pid_t& process) {
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  SpawnFiles files;
  posix_spawn_file_actions_addopen(&files.actions, 0, "/dev/null", O_RDONLY,
                                   0);
  posix_spawn_file_actions_addopen(&files.actions, 1, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files.actions, 1, 2);
  SpawnAttributes set;
  sigset_t defaults, none;
  sigemptyset(&none);
  sigfillset(&defaults);
  posix_spawnattr_setsigmask(&set.attributes, &none);
  posix_spawnattr_setsigdefault(&set.attributes, &defaults);
  posix_spawnattr_setpgroup(&set.attributes, 0);
  posix_spawnattr_setflags(&set.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                               POSIX_SPAWN_SETSIGDEF);
  return posix_spawn(&process, command[0].c_str(), &files.actions,
                     &set.attributes, words.data(), environ);
}

// False when the time is over; the process is ended then.
bool wait_for(pid_t process, double seconds, int& status) {
  auto end = std::chrono::steady_clock::now() +
             std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(500);
  for (;;) {
    pid_t done = waitpid(process, &status, WNOHANG);
    if (done == process) return true;
    if (done < 0 && errno != EINTR) {
      status = -1;
      return true;
    }
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(pause);
    if (pause.count() < 4000) pause *= 2;
  }
  kill(-process, SIGKILL);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

}  // namespace

CCompiler find_c_compiler() {
  const char* wanted = std::getenv("TINE_CC");
  if (wanted && *wanted) return found(wanted);
  CCompiler compiler;
  for (const char* name : {"cc", "gcc", "clang"}) {
    compiler = found(name);
    if (!compiler.path.empty()) break;
  }
  return compiler;
}

std::vector<std::string> c_flags(const CCompiler& compiler) {
  std::vector<std::string> flags = {
      "-std=gnu11", "-O3", "-fPIC", "-shared", "-w", "-ffp-contract=off",
      "-fno-math-errno",
      "-fno-builtin", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
      "-fvisibility=hidden", "-nostdlib"};
  if (compiler.clang) {
    flags.push_back("-fbracket-depth=100000");
    return flags;
  }
  // Builds with a sanitizer compile programs with the same one.
#if defined(__SANITIZE_ADDRESS__)
  flags.insert(flags.end(), {"-O1", "-g1", "-fsanitize=address"});
#elif defined(__SANITIZE_THREAD__)
  // Its record of calls is no deeper than a few thousand.
  flags.insert(flags.end(), {"-O1", "-g1", "-fsanitize=thread", "--param",
                             "tsan-instrument-func-entry-exit=0"});
#endif
  return flags;
}

std::string compile_c(const CCompiler& compiler, const std::string& source,
                      const std::string& object, double seconds) {
  std::vector<std::string> command{compiler.path};
  for (std::string& flag : c_flags(compiler)) {
    command.push_back(std::move(flag));
  }
  command.insert(command.end(), {"-o", object, source});
  pid_t process = 0;
  int error = start(command, source + ".log", process);
  if (error != 0) {
    return "the C compiler `" + compiler.name +
           "` cannot be started: " + std::strerror(error);
  }
  int status = 0;
  if (!wait_for(process, seconds, status)) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", seconds);
    return "the C compiler `" + compiler.name + "` took more than " + text +
           " seconds";
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  return "the C compiler `" + compiler.name + "` failed";
}

}  // namespace tine
