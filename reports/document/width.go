package document

import "evalctl/agent/text"

func displayWidth(s string) int             { return text.DisplayWidth(s) }
func escapeLine(s string) string            { return text.EscapeLine(s) }
func truncate(s string, n int) string       { return text.Truncate(s, n) }
func truncateMiddle(s string, n int) string { return text.TruncateMiddle(s, n) }
func wrapText(s string, n int) []string     { return text.Wrap(s, n) }
func padRight(s string, n int) string       { return text.PadRight(s, n) }
func padToRight(s string, n int) string     { return text.PadLeft(s, n) }
func joinAnd(names []string) string         { return text.JoinAnd(names) }

const ellipsisMark = text.Ellipsis
