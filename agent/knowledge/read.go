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

// maxLine limits a line of a style file in bytes.
const maxLine = 1 << 20

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ReadStyles reads styles, one JSON object per line, and skips blank lines. Its error joins all
// problems with file and line: an invalid style, an unknown or missing field, a duplicate id or
// name.
func ReadStyles(file string, r io.Reader) ([]Style, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var styles []Style
	var wrong []error
	seen, n := usedNames{}, 0
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

// usedNames maps the ids and names of the styles read so far, in lower case, to the id of their
// style. An id may equal a name: cyberpunk is both.
type usedNames map[string]string

func (t usedNames) read(line []byte) (Style, error) {
	var s Style
	if err := json.Unmarshal(line, &s, json.RejectUnknownMembers(true)); err != nil {
		return s, err
	}
	return s, t.add(s)
}

// add validates a style and records its id and names, which must be new.
func (t usedNames) add(s Style) error {
	if !kebab.MatchString(s.ID) {
		return fmt.Errorf("id: %q is not kebab-case", s.ID)
	}
	if strings.TrimSpace(s.Prompt) == "" {
		return fmt.Errorf("prompt: style %s has none", s.ID)
	}
	if err := t.use("id", s.ID, s.ID); err != nil {
		return err
	}
	for i, name := range s.Names() {
		if err := t.use(field(i), name, s.ID); err != nil {
			return err
		}
	}
	return nil
}

// field returns the JSON field that contains the i-th name of a style.
func field(i int) string {
	if i < 2 {
		return [...]string{"zh", "en"}[i]
	}
	return fmt.Sprintf("aliases[%d]", i-2)
}

func (t usedNames) use(field, name, id string) error {
	key := strings.ToLower(strings.TrimSpace(name))
	if key == "" {
		return fmt.Errorf("%s: style %s has an empty one", field, id)
	}
	if field == "id" {
		key = "#" + key // so that an id and a name can be equal
	}
	if owner, ok := t[key]; ok {
		return fmt.Errorf("%s: %q is used before, by %s", field, name, owner)
	}
	t[key] = id
	return nil
}
