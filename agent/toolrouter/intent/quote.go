package intent

import "strings"

// quotation marks in pairs. What stands between them is talked about, not asked
// for: a title, a name, a sentence to translate.
var quotation = [...]struct {
	open  rune
	close string
}{{'“', "”"}, {'「', "」"}, {'『', "』"}, {'《', "》"}, {'"', `"`}}

// quotes finds the quotations of one message. It remembers which marks no more
// close, lest a message of opening ones alone be read again from each.
type quotes struct{ unclosed [len(quotation)]bool }

// end gives where the quotation that r opens at i ends, or 0 when none does. A
// message that is one quotation from end to end is read as if it were none.
func (q *quotes) end(text string, i int, r rune, last kind) int {
	for k, mark := range quotation {
		if r != mark.open || q.unclosed[k] || r == '"' && last == digit { // 27" is a size
			continue
		}
		from := i + len(string(r))
		n := strings.Index(text[from:], mark.close)
		if n < 0 {
			q.unclosed[k] = true
			return 0
		}
		end := from + n + len(mark.close)
		if i == 0 && end == len(text) {
			return 0
		}
		return end
	}
	return 0
}

// skip counts what is quoted as one thing that is not known.
func (c *clause) skip(quoted string) {
	for _, r := range quoted {
		if kindOf(r) >= letter {
			c.length++
		}
	}
}
