#include "runtime/io/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

extern char** environ;

namespace tine {
namespace {

constexpr std::size_t kChunk = 1u << 16;

struct Pipe {
  int read = -1, write = -1;
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
};

int release(int& descriptor) {
  int kept = descriptor;
  descriptor = -1;
  ::fcntl(kept, F_SETFL, ::fcntl(kept, F_GETFL) | O_NONBLOCK);
  return kept;
}

// Writes without the signal of a reader that is gone, whatever this process
// does with that signal.
ssize_t write_quietly(int to, const char* bytes, std::size_t size) {
  sigset_t pipe, old, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  bool had = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe, &old);
  ssize_t count = ::write(to, bytes, size);
  int error = errno;
  if (count < 0 && error == EPIPE && !had) {
    timespec now = {0, 0};
    while (sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  errno = error;
  return count;
}

int spawn(const Process::Plan& plan, Pipe& in, Pipe& out, Pipe& err,
          pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, in.read, 0);
  posix_spawn_file_actions_adddup2(&files, out.write, 1);
  posix_spawn_file_actions_adddup2(&files, err.write, 2);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> argv{const_cast<char*>(plan.program.c_str())};
  for (const std::string& arg : plan.args) {
    argv.push_back(const_cast<char*>(arg.c_str()));
  }
  argv.push_back(nullptr);
  int error = ::posix_spawnp(&pid, argv[0], &files, &attributes, argv.data(),
                             environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

bool has_nul(const std::string& text) {
  return text.find('\0') != std::string::npos;
}

}  // namespace

Process::~Process() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close_end(in_);
  for (int& out : outs_) close_end(out);
}

void Process::close_end(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

int Process::start(const Plan& plan) {
  if (has_nul(plan.program) ||
      std::any_of(plan.args.begin(), plan.args.end(), has_nul)) {
    return EINVAL;
  }
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open()) return errno;
  int error = spawn(plan, in, out, err, pid_);
  if (error != 0) return pid_ = -1, error;
  in_ = release(in.write);
  outs_[0] = release(out.read);
  outs_[1] = release(err.read);
  input_ = plan.input;
  most_ = plan.most;
  limited_ = plan.ms > 0;
  deadline_ = std::chrono::steady_clock::now() +
              std::chrono::milliseconds(plan.ms);
  return 0;
}

void Process::add_polls(std::vector<pollfd>& wanted) const {
  if (in_ >= 0) wanted.push_back({in_, POLLOUT, 0});
  for (int out : outs_) {
    if (out >= 0) wanted.push_back({out, POLLIN, 0});
  }
}

void Process::feed() {
  while (in_ >= 0 && fed_ < input_.size()) {
    ssize_t count =
        write_quietly(in_, input_.data() + fed_, input_.size() - fed_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) return close_end(in_);  // it reads no more
    fed_ += static_cast<std::size_t>(count);
  }
  close_end(in_);
}

void Process::collect(int which) {
  char chunk[kChunk];
  while (outs_[which] >= 0) {
    ssize_t count = ::read(outs_[which], chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return close_end(outs_[which]);
    outputs_[which].append(chunk, static_cast<std::size_t>(count));
    if (outputs_[which].size() > most_) {
      error_ = EFBIG;
      return;
    }
  }
}

bool Process::finish(int error) {
  error_ = error;
  return true;
}

bool Process::pump() {
  feed();
  for (int which = 0; which < 2 && error_ == 0; ++which) collect(which);
  if (error_ != 0) return true;
  if (outs_[0] < 0 && outs_[1] < 0) {
    int status = 0;
    pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) return finish(errno);
    if (ended == pid_) {
      pid_ = -1;
      status_ = static_cast<std::uint32_t>(
          WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
      return true;
    }
  }
  bool late = limited_ && std::chrono::steady_clock::now() >= deadline_;
  return late && finish(ETIMEDOUT);
}

}  // namespace tine
