package main

import "github.com/spf13/pflag"

// lines is a repeatable flag whose values become the lines of one value.
type lines struct {
	text string
	set  func(text string) // receives the joined value
}

var _ pflag.Value = (*lines)(nil)

func (l *lines) Type() string   { return "string" }
func (l *lines) String() string { return l.text }

// Set adds a line.
func (l *lines) Set(text string) error {
	if l.text != "" {
		text = l.text + "\n" + text
	}
	l.text = text
	l.set(text)
	return nil
}
