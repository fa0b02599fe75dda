package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct {
	stderr io.Writer
	all    *mpb.Progress
	bar    *mpb.Bar

	mu     sync.Mutex
	failed int64
}

func newProgress(stderr io.Writer, total, done int64, quiet bool) *progress {
	p := &progress{stderr: stderr}
	if quiet || !isTerminal(stderr) {
		return p
	}
	p.all = mpb.New(mpb.WithOutput(stderr), mpb.WithWidth(40))
	p.bar = p.all.AddBar(total,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d / %d trials ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.failures() }), decor.Name(" "), decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), "")))
	p.bar.SetCurrent(done)
	return p
}

func (p *progress) failures() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == 0 {
		return ""
	}
	return fmt.Sprintf(" %d without an answer", p.failed)
}

func (p *progress) step(failed bool) {
	if p.bar == nil {
		return
	}
	if failed {
		p.mu.Lock()
		p.failed++
		p.mu.Unlock()
	}
	p.bar.Increment()
}

// warn shows a line above the bar.
func (p *progress) warn(text string) {
	w := p.stderr
	if p.all != nil {
		w = p.all
	}
	fmt.Fprintln(w, "evalctl:", text)
}

func (p *progress) finish() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.all.Wait()
}

// isTerminal tells whether w shows what it gets to a person.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
