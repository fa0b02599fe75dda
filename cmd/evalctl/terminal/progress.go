package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// redraw is the time between two pictures of the bar.
const redraw = 100 * time.Millisecond

// Progress is a line on a terminal that is drawn anew in place, and nothing
// elsewhere. The line is erased at the end.
type Progress struct {
	stderr, screen io.Writer // the second takes the bar
	shown, quiet   bool
	total, resumed int64
	began          time.Time

	mu           sync.Mutex // the watchdog warns while trials end
	done, failed int64
	redrew       time.Time
	drawn        int    // columns
	state        string // of what the run waits for; "": nothing
}

// NewProgress begins at done of total; a quiet one shows nothing but warnings.
func NewProgress(stderr io.Writer, total, done int64, quiet bool) *Progress {
	p := &Progress{stderr: stderr, screen: StyledWriter(stderr), total: total, done: done, resumed: done, began: time.Now(),
		quiet: quiet, shown: !quiet && IsTerminal(stderr) && !dumb()}
	p.draw()
	return p
}

// Step counts a trial.
func (p *Progress) Step(failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if failed {
		p.failed++
	}
	if time.Since(p.redrew) >= redraw {
		p.draw()
	}
}

func (p *Progress) draw() {
	if !p.shown {
		return
	}
	p.redrew = time.Now()
	width := Width(p.stderr)
	if width == 0 {
		width = 80
	}
	// Room for an echoed ^C: a line that wraps cannot be erased.
	text := p.line(max(width-4, 10))
	p.erase()
	fmt.Fprint(p.screen, text)
	p.drawn = len(text)
}

// line is ASCII only, at most width columns.
func (p *Progress) line(width int) string {
	const bar = 20
	share := 1.0
	if p.total > 0 {
		share = float64(p.done) / float64(p.total)
	}
	full := int(share * bar)
	text := fmt.Sprintf("[%s%s] %d of %d trials", strings.Repeat("#", full), strings.Repeat(".", bar-full), p.done, p.total)
	if played := p.done - p.resumed; played > 0 {
		left := time.Since(p.began).Seconds() * float64(p.total-p.done) / float64(played)
		text += fmt.Sprintf(", %v left", time.Duration(left)*time.Second)
	}
	if p.failed > 0 {
		text += fmt.Sprintf(", %d without an answer", p.failed)
	}
	if p.state != "" {
		text += ", " + p.state
	}
	return text[:min(len(text), width)]
}

// Wait shows a line on what the run waits for, and a few words of it in the bar until it is
// called again. A quiet Progress shows neither.
func (p *Progress) Wait(words, line string) {
	if p.quiet {
		return
	}
	p.Warn(line)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = words
	p.draw()
}

// Warn shows a line above the bar.
func (p *Progress) Warn(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.stderr, "evalctl:", text)
}

// Finish erases the line.
func (p *Progress) Finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// erase writes spaces over what was drawn: an escape sequence is not for every
// terminal, nor for everybody.
func (p *Progress) erase() {
	if p.drawn > 0 {
		fmt.Fprint(p.screen, "\r", strings.Repeat(" ", p.drawn), "\r")
		p.drawn = 0
	}
}
