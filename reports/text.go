package reports

import "evalctl/agent/text"

func columnsOf(s string) int               { return text.DisplayWidth(s) }
func clean(s string) string                { return text.EscapeLine(s) }
func shorten(s string, n int) string       { return text.Truncate(s, n) }
func shortenMiddle(s string, n int) string { return text.TruncateMiddle(s, n) }
func wrap(s string, n int) []string        { return text.Wrap(s, n) }
func pad(s string, n int) string           { return text.PadRight(s, n) }
func padLeft(s string, n int) string       { return text.PadLeft(s, n) }

const ellipsis = text.Ellipsis
