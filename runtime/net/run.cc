// A run: its entries, its limits, its end.
#include "runtime/net/worker.h"

#include <new>

#include "runtime/heap/check.h"
#include "runtime/net/traps.h"

namespace tine {
namespace {

std::uint32_t id_or_zero(const NetProgram& program, CtorId ctor) {
  return ctor == CtorId::kNone ? 0 : program.id(ctor);
}

}  // namespace

Run::Run(const Book& book, const NetProgram& program, const RunRequest& request,
         FileTable& files)
    : book(book),
      program(program),
      request(request),
      files(files),
      region(request.limits.memory),
      strings{id_or_zero(program, book.known.snil),
              id_or_zero(program, book.known.scon),
              id_or_zero(program, book.known.none),
              id_or_zero(program, book.known.some)},
      most_workers_(1),
      deadline_(deadline_of(request.limits.deadline)) {
  workers.push_back(std::make_unique<Worker>(*this, 0));
}

Run::~Run() { finish(); }

void Run::finish() {
  ended_.store(true, std::memory_order_seq_cst);
  pool.wake_all();
  pool.join();
}

Word Run::enter(const Cell* code, Word first, Word second) {
  Worker& worker = *workers[0];
  done_.store(false, std::memory_order_relaxed);
  value_ = 0;
  worker.registers[0] = first;
  if (worker.registers.size() > 1) worker.registers[1] = second;
  Frame* bottom = worker.new_frame(2);
  if (!bottom) {
    trap_fault(worker);
    return 0;
  }
  bottom->resume = program.code.data() + program.halt;
  bottom->parent = nullptr;
  try {
    reduce(*this, worker, code, bottom);
  } catch (const std::bad_alloc&) {
    trap(worker, TrapKind::kMemory, memory_text(region));
  }
  // Whoever trapped names the definition on its way out: wait for it.
  if (stopped_.load(std::memory_order_acquire)) finish();
  std::lock_guard lock(mutex_);
  return trap_.kind == TrapKind::kNone ? value_ : 0;
}

void Run::halt(Worker& worker, Word value) {
  {
    std::lock_guard lock(mutex_);
    value_ = value;
  }
  // Release: pairs with the acquire in `leaving`.
  done_.store(true, std::memory_order_release);
  if (worker.id != 0) pool.wake_all();
}

bool Run::leaving(const Worker& worker) const {
  if (stopped_.load(std::memory_order_acquire)) return true;
  if (worker.id == 0) return done_.load(std::memory_order_acquire);
  return ended_.load(std::memory_order_acquire);
}

void Run::trap(Worker& worker, TrapKind kind, std::string text) {
  {
    std::lock_guard lock(mutex_);
    if (trap_.kind != TrapKind::kNone) return;
    trap_.kind = kind;
    trap_.text = std::move(text);
    trap_.status = trap_status(kind);
    trapper_ = &worker;
  }
  stopped_.store(true, std::memory_order_release);
  poke_all();
  pool.wake_all();
}

void Run::trap_fault(Worker& worker) {
  Fault fault = worker.heap.fault();
  if (fault == Fault::kStopped) return;  // recorded by whoever stopped us
  TINE_CHECK(fault != Fault::kNone);
  trap(worker, trap_kind(fault), fault_text(fault, region));
}

// The definition at `at`, if the trap is this worker's and has none yet.
void Run::name_trap(Worker& worker, const Cell* at) {
  std::lock_guard lock(mutex_);
  if (trapper_ != &worker || !trap_.def.empty() || !at) return;
  DefId def = program.def_at(at);
  if (def != DefId::kNone) trap_.def = book.def(def).origin;
}

void Run::name_trap(Worker& worker, const DefRow& def) {
  std::lock_guard lock(mutex_);
  if (trapper_ == &worker && trap_.def.empty()) trap_.def = def.origin;
}

bool Run::limits_reached(Worker& worker) {
  if (stopped_.load(std::memory_order_relaxed)) return true;
  const Limits& limits = request.limits;
  if (limits.stop && limits.stop->load(std::memory_order_relaxed)) {
    trap(worker, TrapKind::kInterrupted, "interrupted");
    return true;
  }
  if (limits.deadline > 0 && std::chrono::steady_clock::now() > deadline_) {
    trap(worker, TrapKind::kDeadline,
         deadline_text(limits.deadline));
    return true;
  }
  return false;
}

void Run::poke_all() {
  for (const auto& worker : workers) {
    worker->fuel.store(0, std::memory_order_relaxed);
  }
}

// Once, from worker 0, when there is a first call to share.
void Run::start_threads() {
  unsigned count = request.limits.workers;
  for (unsigned id = 1; id < count; ++id) {
    workers.push_back(std::make_unique<Worker>(*this, id));
  }
  most_workers_ = pool.start(count, [this](unsigned id) {
    Worker& worker = *workers[id];
    try {
      reduce(*this, worker, nullptr, nullptr);
    } catch (const std::bad_alloc&) {
      trap(worker, TrapKind::kMemory, memory_text(region));
    }
  });
}

}  // namespace tine
