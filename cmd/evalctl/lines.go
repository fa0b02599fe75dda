package main

import "github.com/spf13/pflag"

// multilineFlag is a repeatable flag whose values become the lines of one value.
type multilineFlag struct {
	text     string
	onChange func(text string) // receives the joined value
}

var _ pflag.Value = (*multilineFlag)(nil)

func (l *multilineFlag) Type() string   { return "string" }
func (l *multilineFlag) String() string { return l.text }

// Set adds a line.
func (l *multilineFlag) Set(text string) error {
	if l.text != "" {
		text = l.text + "\n" + text
	}
	l.text = text
	l.onChange(text)
	return nil
}
