package knowledge

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
)

// maxLine bounds a line of a style file, in bytes.
const maxLine = 1 << 20

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ReadStyles reads one JSON object a line; blank lines are passed over. Its
// error joins what is wrong, each with file:line: text that is no style, an
// unknown or missing field, an id or a name that is used before.
func ReadStyles(file string, r io.Reader) ([]Style, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var styles []Style
	var wrong []error
	seen, n := taken{}, 0
	for lines.Scan() {
		n++
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		s, err := seen.read(line)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", file, n, err))
		}
		styles = append(styles, s)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		wrong = append(wrong, fmt.Errorf("%s:%d: line of %d MiB or more", file, n+1, maxLine>>20))
	} else if err != nil {
		wrong = append(wrong, fmt.Errorf("%s:%d: %w", file, n+1, err))
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return styles, nil
}

// taken are the ids and the names of the styles so far, as a case-blind
// reader sees them. Ids and names may be alike: cyberpunk is both.
type taken map[string]string

func (t taken) read(line []byte) (Style, error) {
	var s Style
	if err := json.Unmarshal(line, &s, json.RejectUnknownMembers(true)); err != nil {
		return s, err
	}
	return s, t.add(s)
}

// add checks s and takes its id and its names.
func (t taken) add(s Style) error {
	if !kebab.MatchString(s.ID) {
		return fmt.Errorf("id: %q is not kebab-case", s.ID)
	}
	if strings.TrimSpace(s.Prompt) == "" {
		return fmt.Errorf("prompt: style %s has none", s.ID)
	}
	if err := t.take("id", s.ID, s.ID); err != nil {
		return err
	}
	for i, name := range s.Names() {
		if err := t.take(field(i), name, s.ID); err != nil {
			return err
		}
	}
	return nil
}

// field is where a style has its i-th name.
func field(i int) string {
	if i < 2 {
		return [...]string{"zh", "en"}[i]
	}
	return fmt.Sprintf("aliases[%d]", i-2)
}

func (t taken) take(field, name, id string) error {
	key := strings.ToLower(strings.TrimSpace(name))
	if key == "" {
		return fmt.Errorf("%s: style %s has an empty one", field, id)
	}
	if field == "id" {
		key = "#" + key // no name, see taken
	}
	if owner, ok := t[key]; ok {
		return fmt.Errorf("%s: %q is used before, by %s", field, name, owner)
	}
	t[key] = id
	return nil
}
