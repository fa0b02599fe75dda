package journal

import "encoding/json"

// LineKey returns the trial key in a line of a results or traces file, or "" if there is none. For
// lines that a run wrote it decodes no JSON, because the key comes first.
func LineKey(line []byte) string {
	const lead = `{"key":"`
	if len(line) > len(lead) && string(line[:len(lead)]) == lead {
		for i, c := range line[len(lead):] {
			if c == '"' {
				return string(line[len(lead) : len(lead)+i])
			}
			if c == '\\' || c < ' ' || c >= 0x80 {
				break
			}
		}
	}
	var of struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(line, &of) != nil {
		return ""
	}
	return of.Key
}
