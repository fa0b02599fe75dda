package main

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// process is evalctl in a process of its own, to be killed.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

func start(args ...string) *process {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	p := &process{Cmd: command(self, args...)}
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	Expect(p.Start()).To(Succeed())
	return p
}

func command(self string, args ...string) *exec.Cmd {
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asCLI+"=1")
	return c
}

// code waits for the end.
func (p *process) code() int {
	_ = p.Wait() // the code says it all
	return p.ProcessState.ExitCode()
}

// interrupt sends a Ctrl-C and returns the exit code and how long it took.
func (p *process) interrupt() (code int, duration time.Duration) {
	GinkgoHelper()
	began := time.Now()
	Expect(p.Process.Signal(syscall.SIGINT)).To(Succeed())
	return p.code(), time.Since(began)
}
