package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// redraw is the minimum time between two updates of the progress bar.
const redraw = 100 * time.Millisecond

// Progress shows the progress of a run on one terminal line that it updates in place. On a pipe or
// file it prints only warnings.
type Progress struct {
	stderr, screen io.Writer // screen receives the bar with its control characters, stderr the warnings
	shown, quiet   bool
	total, resumed int64
	began          time.Time

	mu           sync.Mutex // needed because warnings may come from other goroutines
	done, failed int64
	lastDraw     time.Time
	drawnWidth   int    // width of the bar on the screen, in columns; 0: not shown
	state        string // what the run is waiting for; "": nothing
}

// NewProgress returns a Progress for total trials. An earlier process has completed done of them.
// If quiet is true, it shows only warnings.
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

// CountTrial counts a finished trial and updates the bar. failed is true if the trial has no
// answer.
func (p *Progress) CountTrial(failed bool) {
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
	// Leave room for an echoed ^C. A line that wraps could not be erased.
	text := p.line(max(width-4, 10))
	p.erase()
	fmt.Fprint(p.screen, text)
	p.drawnWidth = len(text)
}

// line returns the text of the progress bar: ASCII, at most width columns.
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

// ShowWaiting prints line as a warning, and shows words in the bar until the next call. Both
// describe what the run is waiting for, such as a rate limit. If the Progress is quiet, it does
// nothing.
func (p *Progress) ShowWaiting(words, line string) {
	if p.quiet {
		return
	}
	p.Warn(line)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = words
	p.draw()
}

// Warn prints a warning above the bar.
func (p *Progress) Warn(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.stderr, "evalctl:", text)
}

// Finish removes the bar from the screen.
func (p *Progress) Finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// erase overwrites the bar with spaces, because not every terminal has escape sequences.
func (p *Progress) erase() {
	if p.drawnWidth > 0 {
		fmt.Fprint(p.screen, "\r", strings.Repeat(" ", p.drawnWidth), "\r")
		p.drawnWidth = 0
	}
}
