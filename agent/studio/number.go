package studio

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// number is one in any notation that people use: 0.1, "10%", "1/10", "0.1分", [0.1].
// What cannot be read is NaN, which no check lets pass.
type number float64

var _ json.Unmarshaler = (*number)(nil)

// UnmarshalJSON never fails.
func (n *number) UnmarshalJSON(raw []byte) error {
	*n = number(math.NaN())
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	if list, ok := v.([]any); ok && len(list) == 1 {
		v = list[0]
	}
	switch v := v.(type) {
	case float64:
		*n = number(v)
	case string:
		*n = number(readNumber(v))
	}
	return nil
}

// readNumber reads a text that is a number, a percentage or a fraction.
func readNumber(text string) float64 {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(halfWidth(text)), "分"))
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		return decimal(percent) / 100
	}
	if above, below, ok := strings.Cut(text, "/"); ok {
		return decimal(above) / decimal(below)
	}
	return decimal(text)
}

func decimal(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// halfWidth has ASCII in place of its full-width forms.
func halfWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if '！' <= r && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, text)
}

var (
	fieldName  = regexp.MustCompile(`"[A-Za-z]+"\s*[:：]`)
	bareNumber = regexp.MustCompile(`([:\[]\s*)([+.０-９．][0-9.０-９．%％/ 分]*|[0-9.]+(?:\.|\s*[/%％分][0-9.分 ]*))(\s*[,\]}\n])`)
)

// plainly is an answer with its names in lower case and its numbers in quotes
// where JSON has no such notation.
func plainly(raw string) string {
	raw = fieldName.ReplaceAllStringFunc(raw, func(name string) string { return strings.ToLower(halfWidth(name)) })
	return bareNumber.ReplaceAllStringFunc(raw, func(value string) string {
		p := bareNumber.FindStringSubmatch(value)
		return fmt.Sprintf(`%s"%s"%s`, p[1], strings.TrimSpace(p[2]), p[3])
	})
}
