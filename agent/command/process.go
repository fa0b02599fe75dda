package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/program"
)

// Limits on the output of the programs, in bytes.
const (
	maxLine       = 8 << 20  // per line
	maxTurnOutput = 16 << 20 // all lines of a turn
	// output in progress of all processes together; the first freeBytes of each turn do not count
	maxConcurrentOutput = 64 << 20
	freeBytes           = 256 << 10
	maxStderr           = 16 << 10 // stored per turn; older output is dropped
)

// exitTimeout limits the wait for a process to end, and for the last output of an ended one.
const exitTimeout = 500 * time.Millisecond

// unbuffered makes programs in Python write each line at once. Otherwise they hold back output to a
// pipe until their buffer is full, and the answer never arrives.
const unbuffered = "PYTHONUNBUFFERED=1"

// process is a running program of a pool.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // our ends of the pipes to stdin, stdout and stderr
	out    *os.File
	errs   *os.File
	lines  *bufio.Reader
	budget *atomic.Int64 // bytes of output in progress of all processes of the pool; see maxConcurrentOutput

	answered string // id of the last answered request; "": none

	exited  chan struct{} // closed when the process has ended
	waitErr error         // result of cmd.Wait, valid after exited is closed

	stderrClosed chan struct{} // closed at the end of stderr
	mu           sync.Mutex
	stderr       []byte
}

// start starts a program with pipes to its input and outputs.
func start(argv []string, dir string, guard *program.ProcessGuard, budget *atomic.Int64) (p *process, err error) {
	var files []*os.File
	pipe := func() (r, w *os.File) {
		if err == nil {
			if r, w, err = os.Pipe(); err == nil {
				files = append(files, r, w)
			}
		}
		return r, w
	}
	inR, inW := pipe()
	outR, outW := pipe()
	errR, errW := pipe()
	if err == nil {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), unbuffered)
		cmd.Stdin = inR
		cmd.Stdout = outW
		cmd.Stderr = errW
		if err = guard.Start(cmd); err == nil {
			p = &process{
				cmd:          cmd,
				in:           inW,
				out:          outR,
				errs:         errR,
				lines:        bufio.NewReaderSize(outR, 64<<10),
				budget:       budget,
				exited:       make(chan struct{}),
				stderrClosed: make(chan struct{}),
			}
			files = []*os.File{inR, outW, errW}
		}
	}
	for _, f := range files { // the program has its own copies
		_ = f.Close()
	}
	if err != nil {
		return nil, err
	}
	clock.Go(context.Background(), "waiting for a program", func(context.Context) {
		p.waitErr = p.cmd.Wait()
		guard.Remove(p.cmd)
		close(p.exited)
	})
	clock.Go(context.Background(), "listening to a program", func(context.Context) { p.readStderr() })
	return p, nil
}

// readStderr reads stderr until it is closed, and stores the last maxStderr bytes.
func (p *process) readStderr() {
	defer close(p.stderrClosed)
	buf := make([]byte, 4<<10)
	for {
		n, err := p.errs.Read(buf)
		p.mu.Lock()
		p.stderr = append(p.stderr, buf[:n]...)
		if more := len(p.stderr) - maxStderr; more > 0 {
			p.stderr = append(p.stderr[:0], p.stderr[more:]...)
		}
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// takeStderr returns and clears the stderr output since the last call.
func (p *process) takeStderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.ToValidUTF8(string(p.stderr), "\uFFFD")
	p.stderr = p.stderr[:0]
	return text
}

// isDead reports whether the process has ended.
func (p *process) isDead() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// readCheckInterval is the interval of checks whether a new program reads its input. firstBytes is
// the size of the first write, which every pipe accepts at once.
const (
	readCheckInterval = time.Millisecond
	firstBytes        = 4 << 10
)

// begin sends the beginning of a line to a new process and waits until the process reads, writes or
// ends. The purpose is to separate the start of a program from the time that it takes to answer.
// rest is the part of the line still to send.
func (p *process) begin(ctx context.Context, line []byte, timeout time.Duration) (rest []byte, err error) {
	n, err := p.in.Write(line[:min(len(line), firstBytes)])
	if err != nil {
		return line, nil // the process has ended; exchange reports that
	}
	for began := clock.Now(ctx); !p.isDead() && unreadBytes(p.in) == n && unreadBytes(p.out) == 0; {
		if clock.Since(ctx, began) > timeout {
			return nil, &llm.Error{Kind: llm.KindTimeout,
				Message: fmt.Sprintf("the program was started, and did not read its question within %v", timeout)}
		}
		if err := clock.Sleep(ctx, readCheckInterval); err != nil {
			return nil, err
		}
	}
	return line[n:], nil
}

// hasOutput reports whether the process has written anything since its last answer, except spaces.
// Output that is not buffered here is seen only on Linux.
func (p *process) hasOutput() bool {
	for p.lines.Buffered() > 0 || unreadBytes(p.out) > 0 {
		b, err := p.lines.ReadByte()
		if err != nil {
			return false // exchange reports the error
		}
		if len(bytes.TrimSpace([]byte{b})) > 0 {
			return p.lines.UnreadByte() == nil
		}
	}
	return false
}

// exchange sends a line and passes each line of output to take until take returns done or an error.
// If ctx ends, the process is killed.
func (p *process) exchange(ctx context.Context, line []byte, take func([]byte) (done bool, err error)) error {
	result := make(chan error, 1)
	clock.Go(ctx, "asking a program", func(context.Context) {
		result <- clock.CatchPanic("asking a program", func() error { return p.converse(line, take) })
	})
	select {
	case err := <-result:
		return err
	case <-p.exited:
		return p.resultAfterExit(ctx, result)
	case <-ctx.Done():
		p.kill()
		<-result // returns soon, because kill closed the pipes
		return ctx.Err()
	}
}

// outputGrace is how long exchange waits for more output after the process has ended. A child
// process may still have its output open.
const outputGrace = 200 * time.Millisecond

// resultAfterExit returns the result of an exchange whose process has ended: the answer, if it
// arrives within outputGrace.
func (p *process) resultAfterExit(ctx context.Context, result <-chan error) error {
	soon, cancel := clock.WithTimeout(ctx, outputGrace)
	defer cancel()
	select {
	case err := <-result:
		return err
	case <-soon.Done():
		p.kill()
		<-result // returns soon, because kill closed the pipes
		return cmp.Or(ctx.Err(), error(errDied))
	}
}

func (p *process) converse(line []byte, take func([]byte) (bool, error)) error {
	if _, err := p.in.Write(line); err != nil {
		return errDied
	}
	taken := int64(0)
	defer func() { p.budget.Add(-taken) }()
	for read := 0; ; {
		line, err := p.readLine()
		if err != nil {
			return err
		}
		if read += len(line); read > maxTurnOutput {
			return fmt.Errorf("%w: has more than %d bytes", errTooLong, maxTurnOutput)
		}
		if more := int64(read) - freeBytes - taken; more > 0 {
			taken += more
			if p.budget.Add(more) > maxConcurrentOutput {
				return fmt.Errorf("%w: and those under way have more than %d bytes together", errTooLong,
					maxConcurrentOutput)
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if done, err := take(line); done || err != nil {
			return err
		}
	}
}

var (
	errDied    = errors.New("the program has ended")
	errTooLong = errors.New("the answer is too long")
)

// readLine reads a line without its line break. It ignores an incomplete last line.
func (p *process) readLine() (line []byte, err error) {
	for {
		piece, err := p.lines.ReadSlice('\n')
		if len(line)+len(piece) > maxLine {
			return nil, fmt.Errorf("%w: a line has more than %d bytes", errTooLong, maxLine)
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed):
			return nil, errDied
		default:
			return nil, err
		}
	}
}

// exitDescription describes in words how a program ended, with the last line of its stderr.
func (p *process) exitDescription() string {
	soon, cancel := clock.WithTimeout(context.Background(), exitTimeout)
	defer cancel()
	for _, done := range []chan struct{}{p.exited, p.stderrClosed} {
		select {
		case <-done:
		case <-soon.Done():
		}
	}
	text := "the program closed its output"
	if p.isDead() {
		text = "the program ended with exit status 0"
		if p.waitErr != nil {
			text = "the program ended: " + p.waitErr.Error()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	stderr := strings.TrimSpace(strings.ToValidUTF8(string(p.stderr), "\uFFFD"))
	if stderr = stderr[strings.LastIndexByte(stderr, '\n')+1:]; stderr != "" {
		text += fmt.Sprintf(": %.300s", stderr)
	}
	return text
}

// exitedCleanly reports whether the process has exited by itself with status 0.
func (p *process) exitedCleanly() bool { return p.isDead() && p.waitErr == nil }

// end closes the input of the process, which should then exit.
func (p *process) end() { _ = p.in.Close() }

// kill kills the process and its process group, and closes the pipes.
func (p *process) kill() {
	program.KillProcessGroup(p.cmd)
	for _, f := range []*os.File{p.in, p.out, p.errs} {
		_ = f.Close() // may be closed already
	}
}

// waitOrKill waits until the process has ended, and kills it when ctx ends.
func (p *process) waitOrKill(ctx context.Context) {
	select {
	case <-p.exited:
	case <-ctx.Done():
	}
	p.kill()
	<-p.exited
}
