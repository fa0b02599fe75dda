package llm

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// ParseNumber decodes a finite number in any notation that models use: 0.1, "0.1", "10%", "1/10",
// "0.1分", full-width digits, and a list of one number. ok is false for everything else, including
// NaN.
func ParseNumber(raw json.RawMessage) (n float64, ok bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return 0, false
	}
	if list, isList := v.([]any); isList && len(list) == 1 {
		v = list[0]
	}
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		return textNumber(v)
	}
	return 0, false
}

// textNumber parses a number, a percentage or a fraction.
func textNumber(text string) (n float64, ok bool) {
	text = strings.TrimSpace(norm.NFKC.String(text))
	text = strings.TrimSpace(strings.TrimSuffix(text, "分"))
	if percent, isPercent := strings.CutSuffix(text, "%"); isPercent {
		n, ok = decimal(percent)
		return n / 100, ok
	}
	if above, below, isFraction := strings.Cut(text, "/"); isFraction {
		n, ok = decimal(above)
		d, divides := decimal(below)
		n /= d
		return n, ok && divides && d != 0 && !math.IsInf(n, 0)
	}
	return decimal(text)
}

// decimal parses decimal digits. ParseFloat would also accept NaN, Inf and hexadecimal numbers.
func decimal(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

var (
	wideColon  = regexp.MustCompile(`("[^"\\\n]{1,100}"\s*)：`)
	bareNumber = regexp.MustCompile(`([:\[]\s*)([+.０-９．][0-9.０-９．%％/ 分]*|[0-9.]+\s*[/%％分][0-9.分 ]*)(\s*[,\]}\n])`)
)

// maxQuote is the longest text, in bytes, to which narrowColons and quoteNumbers are applied.
const maxQuote = 64 << 10

// narrowColons replaces full-width colons after JSON member names with ASCII colons.
func narrowColons(text string) string {
	if len(text) > maxQuote {
		return text
	}
	return wideColon.ReplaceAllString(text, "$1:")
}

// quoteNumbers adds quotes to numbers in a notation that JSON lacks, such as 9/10.
func quoteNumbers(text string) string {
	if len(text) > maxQuote {
		return text
	}
	return bareNumber.ReplaceAllStringFunc(text, func(value string) string {
		p := bareNumber.FindStringSubmatch(value)
		return fmt.Sprintf(`%s"%s"%s`, p[1], strings.TrimSpace(p[2]), p[3])
	})
}
