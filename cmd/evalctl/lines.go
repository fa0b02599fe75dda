package main

import "github.com/spf13/pflag"

// multilineFlag is a repeatable flag: each occurrence adds a line to one multi-line value.
type multilineFlag struct {
	text     string
	onChange func(text string) // receives the whole value after each change
}

var _ pflag.Value = (*multilineFlag)(nil)

func (l *multilineFlag) Type() string   { return "string" }
func (l *multilineFlag) String() string { return l.text }

// Set adds a line to the value.
func (l *multilineFlag) Set(text string) error {
	if l.text != "" {
		text = l.text + "\n" + text
	}
	l.text = text
	l.onChange(text)
	return nil
}
