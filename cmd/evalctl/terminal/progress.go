package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// redraw is the minimum time between two updates of the bar.
const redraw = 100 * time.Millisecond

// Progress is a progress line that is updated in place on a terminal. On other outputs it shows
// only warnings. Finish erases the line.
type Progress struct {
	stderr, screen io.Writer // screen receives the bar, stderr everything else
	shown, quiet   bool
	total, resumed int64
	began          time.Time

	mu           sync.Mutex // needed because the watchdog warns while trials end
	done, failed int64
	lastDraw     time.Time
	drawnWidth   int    // in columns
	state        string // what the run waits for; "": nothing
}

// NewProgress starts at done of total. A quiet Progress shows only warnings.
func NewProgress(stderr io.Writer, total, done int64, quiet bool) *Progress {
	p := &Progress{
		stderr:  stderr,
		screen:  StyledWriter(stderr),
		total:   total,
		done:    done,
		resumed: done,
		began:   time.Now(),
		quiet:   quiet,
		shown:   !quiet && IsTerminal(stderr) && !isDumb(),
	}
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
	if time.Since(p.lastDraw) >= redraw {
		p.draw()
	}
}

func (p *Progress) draw() {
	if !p.shown {
		return
	}
	p.lastDraw = time.Now()
	width := Width(p.stderr)
	if width == 0 {
		width = 80
	}
	// Leave room for an echoed ^C: a line that wraps cannot be erased.
	text := p.line(max(width-4, 10))
	p.erase()
	fmt.Fprint(p.screen, text)
	p.drawnWidth = len(text)
}

// line returns ASCII text of at most width columns.
func (p *Progress) line(width int) string {
	const bar = 20
	share := 1.0
	if p.total > 0 {
		share = float64(p.done) / float64(p.total)
	}
	full := int(share * bar)
	text := fmt.Sprintf("[%s%s] %d of %d trials", strings.Repeat("#", full), strings.Repeat(".", bar-full),
		p.done, p.total)
	if ran := p.done - p.resumed; ran > 0 {
		left := time.Since(p.began).Seconds() * float64(p.total-p.done) / float64(ran)
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

// Wait prints line above the progress bar and shows words in the bar until the next call. A quiet
// Progress shows neither.
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

// Warn prints a line above the bar.
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

// erase overwrites the bar with spaces, because not every terminal supports escape sequences.
func (p *Progress) erase() {
	if p.drawnWidth > 0 {
		fmt.Fprint(p.screen, "\r", strings.Repeat(" ", p.drawnWidth), "\r")
		p.drawnWidth = 0
	}
}
