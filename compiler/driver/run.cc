// Hands a book to the net engine and its outcome to the caller.
//
// `StreamHost` stands between the program's output and the caller's sinks.
// It buffers standard output; once a sink has failed it takes no more bytes.
// A closed pipe (EPIPE) means that nobody reads: the run ends, quietly, with
// status 0. Any other failure is a trap.
#include "compiler/driver/run.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "compiler/driver/machine.h"
#include "compiler/emit/emit.h"
#include "runtime/native/cache.h"
#include "runtime/native/engine.h"
#include "runtime/net/compile.h"
#include "runtime/net/engine.h"

namespace tine {
namespace {

constexpr std::size_t kBuffer = std::size_t{64} << 10;
constexpr int kMaxDieCode = 125;

class StreamHost final : public Host {
 public:
  explicit StreamHost(const Streams& streams) : streams_(streams) {}

  int write_out(std::string_view bytes) override {
    if (error_ != 0) return error_;
    buffer_ += bytes;
    return buffer_.size() < kBuffer ? 0 : flush();
  }

  int write_err(std::string_view bytes) override {
    if (int error = flush()) return error;
    if (!streams_.err) {
      err_ += bytes;
      return 0;
    }
    return keep(streams_.err(bytes));
  }

  int flush() override {
    if (error_ != 0 || buffer_.empty()) return error_;
    if (!streams_.out) {
      out_ += buffer_;
      buffer_.clear();
      return 0;
    }
    int error = streams_.out(buffer_);
    buffer_.clear();
    return keep(error);
  }

  bool allow_effects() const override { return streams_.files; }

  // The first failure of a stream, an errno.
  int error() const { return error_; }
  std::string take_out() { return std::move(out_); }
  std::string take_err() { return std::move(err_); }

 private:
  int keep(int error) {
    if (error_ == 0) error_ = error;
    return error;
  }

  const Streams& streams_;
  std::string buffer_, out_, err_;
  int error_ = 0;
};

RunRequest make_request(const Config& config, const RunOptions& options,
                        Host& host) {
  RunRequest request;
  unsigned workers = config.threads ? config.threads : usable_cpus();
  request.limits.workers = std::clamp(workers, 1u, kMaxWorkers);
  request.limits.memory = config.memory ? config.memory : default_memory();
  request.limits.deadline = config.deadline;
  request.limits.stop = options.stop;
  request.host = &host;
  request.args = options.args;
  request.verify = config.verify;
  request.plain = options.engine == "net-plain";
  return request;
}

Stats make_stats(const RunStats& from, const std::string& engine) {
  Stats to;
  to.engine = engine;
  to.workers = from.workers;
  for (const DefCount& row : from.defs) {
    to.defs.push_back({row.def, row.calls, row.prims});
  }
  to.calls = from.calls;
  to.prims = from.prims;
  to.takes = from.takes;
  to.makes = from.makes;
  to.copies = from.copies;
  to.drops = from.drops;
  to.steals = from.steals;
  to.forks = from.forks;
  to.nodes_made = from.nodes_made;
  to.nodes_freed = from.nodes_freed;
  to.blocks_made = from.blocks_made;
  to.blocks_freed = from.blocks_freed;
  to.frames_made = from.frames_made;
  to.frames_freed = from.frames_freed;
  to.peak_bytes = from.peak_bytes;
  to.seconds = from.seconds;
  return to;
}

// A program that ends itself says why on its own error stream.
void end_by_die(const Trap& trap, StreamHost& host, Outcome& outcome) {
  host.write_err(trap.text + "\n");
  outcome.status = std::clamp(trap.status, 0, kMaxDieCode);
}

void set_trap(Outcome& outcome, const Trap& trap) {
  outcome.status = trap.status;
  outcome.trap = trap.text;
  outcome.trap_def = trap.def;
}

// What the streams have to say about the end of the run.
void settle_streams(StreamHost& host, Outcome& outcome) {
  host.flush();
  if (host.error() == EPIPE) {
    outcome.status = kOk;
    outcome.trap.clear();
    outcome.trap_def.clear();
  } else if (host.error() != 0 && outcome.trap.empty()) {
    outcome.status = kRunFailed;
    outcome.trap = "a standard stream cannot be written: " +
                   std::generic_category().message(host.error());
  }
}

}  // namespace

namespace {

Outcome run_book(const Program::State& state, const RunOptions& options,
                 const auto& engine) {
  StreamHost host(options.streams);
  RunOutcome run = engine(make_request(state.config, options, host));
  Outcome outcome;
  outcome.value = std::move(run.value);
  outcome.stats = make_stats(run.stats, options.engine);
  if (run.trap.kind == TrapKind::kDied) {
    end_by_die(run.trap, host, outcome);
  } else if (run.trap.kind != TrapKind::kNone) {
    set_trap(outcome, run.trap);
  }
  settle_streams(host, outcome);
  outcome.out = host.take_out();
  outcome.err = host.take_err();
  return outcome;
}

}  // namespace

Outcome run_on_net(const Program::State& state, const RunOptions& options) {
  return run_book(state, options, [&](const RunRequest& request) {
    return run_net(state.book, request);
  });
}

// Where nobody asked for compiled code, nobody waits for more than a few
// seconds of compiling.
static constexpr std::size_t kMostUnasked = std::size_t{1} << 20;

// The object of an earlier run is used again.
static bool has_native(Program::State& state, const NetProgram& numbers,
                       const RunOptions& options) {
  bool counts = options.counts;
  if (state.native.object &&
      (state.native.object->program().counted != 0) == counts) {
    return true;
  }
  state.native = {};
  if (!numbers.problem.empty()) {
    state.native.problem = numbers.problem;
    return false;
  }
  EmitResult emitted = emit_c(state.book, numbers, counts);
  if (!emitted.missing.empty()) {
    state.native.problem = "the native engine has no `" + emitted.missing +
                           "` yet";
    return false;
  }
  if (options.engine == "auto" && emitted.text.size() > kMostUnasked) {
    state.native.quiet = true;
    return false;
  }
  NativeSettings settings;
  settings.cache = state.config.cache;
  if (options.engine == "auto") {
    settings.keep = false;
    settings.compile_seconds = 30;
  }
  state.native = load_native(emitted.text, settings);
  return state.native.object != nullptr;
}

Outcome run_on_native(Program::State& state, const RunOptions& options) {
  NetProgram numbers = number_book(state.book);
  bool unasked = options.engine == "auto";
  RunOptions named = options;
  if (!has_native(state, numbers, options)) {
    named.engine = "net";
    Outcome outcome = run_on_net(state, named);
    bool quiet = state.native.quiet || state.native.no_compiler;
    if (!unasked || !quiet) {
      outcome.note = state.native.problem + "; the net engine runs it";
    }
    return outcome;
  }
  named.engine = "native";
  Outcome outcome = run_book(state, named, [&](const RunRequest& request) {
    return run_native(state.book, numbers, state.native.object->program(),
                      request);
  });
  if (!unasked) outcome.note = state.native.note;
  return outcome;
}

NativeLoad compiled_bytes(const Program::State& state) {
  NativeLoad load;
  NetProgram numbers = number_book(state.book);
  load.problem = numbers.problem;
  if (!load.problem.empty()) return load;
  EmitResult emitted = emit_c(state.book, numbers, false);
  NativeSettings settings;
  settings.cache = state.config.cache;
  settings.bytes = true;
  return load_native(emitted.text, settings);
}

std::string emitted_c(const Program::State& state, bool device) {
  NetProgram numbers = number_book(state.book);
  if (!numbers.problem.empty()) return "";
  return device ? emit_device(state.book, numbers).text
                : emit_c(state.book, numbers, false).text;
}

CacheInfo cache_info() {
  NativeCache cache;
  CacheInfo info{cache.folder(), cache.problem(), 0, 0};
  NativeCache::Contents contents = cache.contents();
  info.programs = contents.objects;
  info.bytes = contents.bytes;
  return info;
}

std::size_t clear_cache() { return NativeCache().clear(); }

Outcome unknown_engine(const std::string& engine) {
  Outcome outcome;
  outcome.status = kUsage;
  outcome.trap = "there is no engine `" + engine +
                 "`; this build has: net, net-plain, native, auto";
  return outcome;
}

Outcome program_wrong() {
  Outcome outcome;
  outcome.status = kProgramWrong;
  return outcome;
}

}  // namespace tine
