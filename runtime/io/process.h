// A program that runs beside ours: its input is fed, its outputs are
// collected, nothing waits. The event loop calls `pump` when there may be
// something to do.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tine {

class Process {
 public:
  struct Plan {
    std::string program;
    std::vector<std::string> args;
    std::string input;
    std::uint32_t most = 0;  // bytes of each output
    std::uint32_t ms = 0;    // 0: no limit
  };

  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  // Ends the program and all that it started.
  ~Process();

  // 0 or an errno.
  int start(const Plan& plan);
  // What to wait for, added to `wanted`.
  void add_polls(std::vector<pollfd>& wanted) const;
  // True when it is over: then `error` is an errno, or 0 with a result.
  bool pump();
  int error() const { return error_; }
  std::uint32_t status() const { return status_; }
  const std::string& output() const { return outputs_[0]; }
  const std::string& errors() const { return outputs_[1]; }

 private:
  void feed();
  void collect(int which);
  bool finish(int error);
  void close_end(int& descriptor);

  pid_t pid_ = -1;
  int in_ = -1;
  int outs_[2] = {-1, -1};
  std::string input_;
  std::size_t fed_ = 0;
  std::string outputs_[2];
  std::uint32_t most_ = 0;
  bool limited_ = false;
  std::chrono::steady_clock::time_point deadline_;
  int error_ = 0;
  std::uint32_t status_ = 0;
};

}  // namespace tine
