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

// process is evalctl in a separate process, so that a test can interrupt or kill it.
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

func (p *process) code() int {
	_ = p.Wait() // the exit code is checked
	return p.ProcessState.ExitCode()
}

// interrupt sends Ctrl-C to the process. It returns the exit code and the time until the process
// ended.
func (p *process) interrupt() (code int, duration time.Duration) {
	GinkgoHelper()
	began := time.Now()
	Expect(p.Process.Signal(syscall.SIGINT)).To(Succeed())
	return p.code(), time.Since(began)
}
