package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"evalctl/cmd/evalctl/exit"
)

// terminalUser is a user at a terminal of 60 columns in which evalctl runs.
type terminalUser struct {
	keys       *os.File // the user's side of the terminal: input, and what the screen shows
	tty        *os.File
	modeBefore unix.Termios // mode of the terminal before evalctl started
	screen     *gbytes.Buffer
	cmd        *exec.Cmd
}

// openTerminal opens a terminal and starts evalctl in it.
func openTerminal(term string, args ...string) *terminalUser {
	GinkgoHelper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		Skip("there are no terminals here: " + err.Error())
	}
	n, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	Expect(err).NotTo(HaveOccurred())
	Expect(unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0)).To(Succeed())
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	Expect(err).NotTo(HaveOccurred())
	Expect(unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 60})).To(Succeed())
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	p := &terminalUser{keys: keys, tty: tty, screen: gbytes.NewBuffer(), cmd: exec.Command(self, args...)}
	p.cmd.Env = append(os.Environ(), asCLI+"=1", "TERM="+term)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.modeBefore = p.mode()
	Expect(p.cmd.Start()).To(Succeed())
	go func() { _, _ = io.Copy(p.screen, keys) }() // until the terminal is closed
	DeferCleanup(func() {
		_ = p.cmd.Process.Kill() // usually it has ended already
		Expect(keys.Close()).To(Succeed())
		Expect(tty.Close()).To(Succeed())
	})
	return p
}

func (p *terminalUser) presses(keys string) {
	GinkgoHelper()
	_, err := io.WriteString(p.keys, keys)
	Expect(err).NotTo(HaveOccurred())
}

func (p *terminalUser) sees(what string) {
	GinkgoHelper()
	Eventually(p.screen).WithTimeout(10 * time.Second).Should(gbytes.Say(what))
}

func (p *terminalUser) mode() unix.Termios {
	GinkgoHelper()
	mode, err := unix.IoctlGetTermios(int(p.tty.Fd()), unix.TCGETS)
	Expect(err).NotTo(HaveOccurred())
	return *mode
}

// expectRestored waits for the exit code and checks that the terminal has its earlier mode.
func (p *terminalUser) expectRestored(code int) {
	GinkgoHelper()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	Eventually(ended).WithTimeout(10 * time.Second).Should(Receive())
	Expect(p.cmd.ProcessState.ExitCode()).To(Equal(code))
	Expect(p.mode()).To(Equal(p.modeBefore), "the terminal is as it was")
}

var _ = Describe("a user at evalctl chat", Label("concurrent"), func() {
	const ctrlC, ctrlD, left, up, enter = "\x03", "\x04", "\x1b[D", "\x1b[A", "\r"

	It("gets a prompt, edits Chinese with the arrow keys, recalls earlier lines, and cancels an answer", func() {
		p := openTerminal("xterm-256color", "chat", "toolrouter", "--router", "rules")
		p.sees("Type a message for toolrouter, or /help; Ctrl-D ends")
		p.sees("› ")
		p.presses("/现几点" + left + left + "在" + enter)
		p.sees("! /现在几点 is not one of /document")
		p.presses(up + "呢" + enter)
		p.sees("! /现在几点呢 is not one of")
		p.presses("画一只猫" + enter)
		p.sees("正在生成图片")
		p.presses(ctrlC)
		p.sees("· stopped")
		p.sees("› ")
		p.presses(ctrlC)
		p.sees("another Ctrl-C")
		p.presses("现在几点" + enter)
		p.sees("现在是 ")
		p.presses(ctrlD)
		p.expectRestored(exit.Passed)
	})

	It("has the terminal mode restored if a signal ends the program", func() {
		p := openTerminal("xterm", "chat", "prompt")
		p.sees("› ")
		Eventually(p.mode).ShouldNot(Equal(p.modeBefore))
		Expect(p.cmd.Process.Signal(syscall.SIGTERM)).To(Succeed())
		p.expectRestored(exit.Interrupted)
	})

	It("sees no escape sequences in a dumb terminal, and ends with Ctrl-C twice", func() {
		p := openTerminal("dumb", "chat", "prompt")
		p.sees("› ")
		p.presses("/what\n")
		p.sees("! /what is not one of")
		p.presses(ctrlC)
		p.sees("another Ctrl-C")
		p.presses(ctrlC)
		p.expectRestored(exit.Passed)
		Expect(strings.Contains(string(p.screen.Contents()), "\x1b")).To(BeFalse())
	})
})

var _ = Describe("a user at evalctl help", Label("concurrent"), func() {
	It("sees a page with colors, as wide as the screen", func() {
		p := openTerminal("xterm-256color", "help", "gate")
		p.sees("\x1b\\[1mGate a pull request\x1b\\[22m\r\n")
		p.sees("A gate is a rule about a metric. If a run breaks the rule,\r\n")
		p.sees("\x1b\\[36m")
		p.expectRestored(exit.Passed)
	})
})
