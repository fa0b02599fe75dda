package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"evalctl/agent/file"
)

// repair removes lines from the ends of the files that a crash has damaged. It also warns if traces
// are missing: because a trace is written before its result, there should be as many traces as
// results.
func (w *Writer) repair(warn func(string)) error {
	results, err := repair(w.results.File, w.run, warn)
	if err != nil || w.traces == nil {
		return err
	}
	traces, err := repair(w.traces.File, w.run, warn)
	if err != nil {
		return err
	}
	if w.traceMode != AllTraces || traces > results {
		if err := w.truncateUnpairedTrace(); err != nil {
			return err
		}
	}
	if lost := results - traces; lost > 0 && w.traceMode == AllTraces {
		warn(fmt.Sprintf("%s: lacks the traces of at least %d of %d results", w.traces.Name(), lost, results))
	}
	return nil
}

// CheckWritable returns an error if the results in dir were written by an older evalctl: such runs
// can be read, but not continued.
func CheckWritable(dir string) error {
	path := filepath.Join(dir, ResultsFile)
	f, err := file.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := readLine(bufio.NewReader(f), nil)
	if err != nil {
		return nil // a later read reports the error
	}
	if _, of, _ := withoutSum(line); of == older {
		return fmt.Errorf("%s:1: %w", path, errOlder)
	}
	return nil
}

// truncateUnpairedTrace removes the last trace if its trial has no result and will run again.
func (w *Writer) truncateUnpairedTrace() error {
	trace, at, err := lastLine(w.traces.File)
	if err != nil || len(trace) == 0 {
		return err
	}
	key := LineKey(trace)
	found := false
	err = eachLine(w.results.File, func(line []byte) { found = found || LineKey(line) == key })
	if err != nil || found {
		return err
	}
	return w.traces.Truncate(at)
}

func lastLine(f *os.File) (last []byte, at int64, err error) {
	size := int64(0)
	err = eachLine(f, func(line []byte) {
		last, at = append(last[:0], line...), size
		size += int64(len(line))
	})
	return last, at, err
}

func eachLine(f *os.File, visit func(line []byte)) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	var line []byte
	for r := bufio.NewReaderSize(f, 256<<10); ; {
		var err error
		if line, err = readLine(r, line[:0]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		visit(line)
	}
}

// repair truncates a file after its last valid line. This removes lines that a kill left incomplete
// or that a power failure lost. It returns the number of remaining lines.
func repair(f *os.File, run mark, warn func(string)) (lines int64, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	s := inspection{run: run}
	switch err := s.read(bufio.NewReaderSize(f, 256<<10)); {
	case errors.Is(err, errOlder), errors.Is(err, errCRLF):
		return 0, fmt.Errorf("%s:%d: %w", f.Name(), s.badAt, err)
	case err != nil:
		return 0, fmt.Errorf("%s:%d: %w; to continue, delete the line (sed -i %dd %s): a trial without a result runs again", f.Name(), s.badAt, err, s.badAt, f.Name())
	}
	switch {
	case s.bad != nil:
		warn(fmt.Sprintf("%s:%d: %v: %d bytes of a damaged end are cut off", f.Name(), s.badAt, s.bad, s.size-s.good))
	case s.size > s.good:
		warn(fmt.Sprintf("%s: %d bytes of a last line that was torn are cut off", f.Name(), s.size-s.good))
	default:
		return s.lines, nil
	}
	return s.lines, f.Truncate(s.good)
}

// inspection is the result of checking all lines of a file.
type inspection struct {
	run   mark // mark that each line must contain
	lines int64
	good  int64 // number of bytes up to the end of the last valid line
	size  int64
	bad   error // error of the first invalid line after the last valid line
	badAt int64
}

// read checks all lines of a file. It returns an error for an invalid line that no crash can
// explain: one that precedes a valid line, belongs to another run, or precedes a second invalid
// line without zero bytes. (Zero bytes are pages that were never written to disk.) Such lines are
// never removed, because complete results may have cost money.
func (s *inspection) read(r *bufio.Reader) error {
	var line []byte
	whole := 0
	for n := int64(1); ; n++ {
		var err error
		line, err = readLine(r, line[:0])
		s.size += int64(len(line))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			s.badAt = n
			return err
		}
		zeros := bytes.IndexByte(line, 0) >= 0
		damage := s.damage(line, zeros)
		if damage != nil {
			s.note(damage, n)
			if !zeros {
				whole++
			}
		}
		if s.bad != nil && (damage == nil || whole > 1 || isForeign(damage)) {
			return s.bad
		}
		if damage != nil {
			continue
		}
		s.lines, s.good = n, s.size
	}
}

// isForeign reports whether an error has a cause other than a crash, such as a line of another run.
func isForeign(damage error) bool {
	return errors.Is(damage, errOther) || errors.Is(damage, errOlder) || errors.Is(damage, errCRLF)
}

func (s *inspection) note(damage error, n int64) {
	if s.bad == nil {
		s.bad, s.badAt = damage, n
	}
}

func (s *inspection) damage(line []byte, zeros bool) error {
	if zeros {
		return errZeros
	}
	_, of, err := s.run.checkLine(line)
	if of == older {
		return errOlder
	}
	return err
}
