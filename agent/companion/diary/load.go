package diary

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
)

// Limits on a file with daily summaries: bytes per line, lines, reported errors.
const (
	maxLine   = 1 << 20
	maxLines  = 1_000_000
	maxErrors = 20
)

// lineFormat describes a line. Errors about invalid lines end with it.
const lineFormat = `each line is a JSON object: {"agent":"lin","date":"2026-11-12","summary":"Lin moved house.",` +
	`"topics":["moving"],"key_points":["the new flat has a balcony"]}; topics and key_points are optional`

// ReadSummaries reads daily summaries, one JSON object per line, and skips blank lines. The error
// joins all problems with file and line: an invalid summary, an unknown field, a duplicate date of
// an agent. The format of a line follows them.
func ReadSummaries(file string, r io.Reader) ([]DailySummary, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var days []DailySummary
	var errs []error
	seen, n := map[[2]string]int{}, 0
	for len(errs) < maxErrors && n < maxLines && lines.Scan() {
		n++
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		day, err := parse(line)
		key := [2]string{day.Agent, day.Date}
		if first := seen[key]; err == nil && first > 0 {
			err = fmt.Errorf("%s has %s before, in line %d", day.Agent, day.Date, first)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", file, n, err))
			continue
		}
		seen[key] = n
		days = append(days, day)
	}
	if len(errs) > 0 {
		errs = append(errs, errors.New(lineFormat))
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		errs = append(errs, fmt.Errorf("%s:%d: line of %d MiB or more", file, n+1, maxLine>>20))
	} else if err != nil {
		errs = append(errs, fmt.Errorf("%s:%d: %w", file, n+1, err))
	}
	if n == maxLines {
		errs = append(errs, fmt.Errorf("%s:%d: has more lines than are read", file, n))
	}
	return days, errors.Join(errs...)
}

func parse(line []byte) (day DailySummary, err error) {
	if err := json.Unmarshal(line, &day, json.RejectUnknownMembers(true)); err != nil {
		return day, err
	}
	return day, day.check()
}
