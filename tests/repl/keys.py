"""Keys at the prompt, through a pseudo-terminal: editing, completion,
history across sessions, Ctrl-C at the prompt and in an evaluation."""
import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time

TINE = os.environ["TINE"]
state = tempfile.mkdtemp()


class Session:
    def __init__(self):
        environment = dict(os.environ, XDG_STATE_HOME=state, TERM="xterm",
                           NO_COLOR="1")
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(TINE, [TINE, "repl"], environment)
        self.expect("tine> ")

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def expect(self, wanted, seconds=30):
        if not self.has(wanted, seconds):
            sys.exit("no %r in %r" % (wanted, self.text))

    def has(self, wanted, seconds):
        """Reads until the text has come; what is before it is forgotten. Keys
        are the editor's once its prompt is there."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return False
            try:
                more = os.read(self.fd, 4096)
            except OSError:
                more = b""
            if not more:
                sys.exit("ended before %r: %r" % (wanted, self.text))
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "",
                           more.decode(errors="replace"))
            self.text += plain.replace("\r", "")
        self.text = self.text.split(wanted, 1)[1]
        return True

    def interrupt(self):
        """Ctrl-C, again while the evaluation has not begun."""
        for _ in range(30):
            time.sleep(0.5)
            self.send("\x03")
            if self.has("interrupted", 2):
                return
        sys.exit("is not interrupted")

    def ends(self, keys):
        """Its status after these keys. It waits until what it wrote is
        read."""
        self.send(keys)
        for _ in range(300):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    os.read(self.fd, 4096)
                except OSError:
                    time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit("does not end")


try:
    one = Session()
    # Back over a key, and a value.
    one.send("(1 + 3\x7f2 : U32)\r")
    one.expect("\n3 : U32")
    one.expect("tine> ")
    # A block goes on until an empty line.
    one.send("def seventeen(x: U32) -> U32:\r")
    one.expect("....> ")
    one.send("  (x + 17 : U32)\r\r")
    one.expect("seventeen : U32 -> U32")
    one.expect("tine> ")
    # Completion of a name, and of a command.
    one.send("sevent\t(1)\r")
    one.expect("\n18 : U32")
    one.expect("tine> ")
    one.send(":who\x7f\x7fhn\tU32.mul(2, 3)\r")
    one.expect("\n6 : U32")
    one.expect("tine> ")
    # Ctrl-C drops a half typed input and nothing else.
    one.send("def half(\r")
    one.expect("....> ")
    one.send("x: \x03")
    one.expect("tine> ")
    one.send("seventeen(2)\r")
    one.expect("\n19 : U32")
    one.expect("tine> ")
    # Ctrl-C stops an evaluation and nothing else.
    one.send("@unsafe def spin(n: Nat) -> Nat: spin(n)\r")
    one.expect("spin : Nat -> Nat")
    one.expect("tine> ")
    one.send("spin(1n)\r")
    one.interrupt()
    one.expect("tine> ")
    one.send(":run spin(1n)\r")
    one.interrupt()
    one.expect("tine> ")
    one.send("seventeen(3)\r")
    one.expect("\n20 : U32")
    one.expect("tine> ")
    assert one.ends("\x04") == 0

    # The history is there in the next session: two lines up.
    with open(os.path.join(state, "tine", "history")) as file:
        assert "seventeen(3)" in file.read().replace("\\040", " ")
    two = Session()
    two.send("'a'\r")
    two.expect("\n'a' : Char")
    two.expect("tine> ")
    two.send("\x1b[A\x1b[A\x01# \r")
    two.expect("tine> ")
    assert two.ends(":quit\r") == 0
    with open(os.path.join(state, "tine", "history")) as file:
        assert "# seventeen(3)" in file.read().replace("\\040", " ")
finally:
    shutil.rmtree(state)
