// Package program starts what a user names on a command line, and ends it with all that it
// has started.
package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/secret"
)

// SplitCommand are those of a command: of a JSON list its elements, else as a shell would split
// the text that has no variables, patterns or pipes of its own: at blanks, but for what
// stands in quotes or behind a backslash.
func SplitCommand(text string) (words []string, err error) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			return nil, fmt.Errorf("is not a list of words: %w", err)
		}
	} else if words, err = split(text); err != nil {
		return nil, err
	}
	switch {
	case len(words) == 0 || words[0] == "":
		return nil, errors.New("is empty: name a program")
	case strings.ContainsRune(strings.Join(words, ""), 0):
		return nil, errors.New("holds a NUL byte")
	}
	return words, nil
}

// Variables are those of the environment that a command refers to.
func Variables(text string) []string {
	words, err := SplitCommand(text)
	if err != nil {
		return nil // reported where the command is checked
	}
	return secret.Variables(words...)
}

// Expanded are the words of a command with the values of the environment's variables that it
// refers to, as $NAME or ${NAME}: no shell reads it. The values become secrets.
func Expanded(text string, secrets *secret.Set) (words []string, err error) {
	words, err = SplitCommand(text)
	for i := range words {
		if err == nil {
			words[i], err = secrets.Expand(words[i])
		}
	}
	return words, err
}

// JoinCommand is a command as one would type it.
func JoinCommand(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		if list[i] = w; w == "" || strings.ContainsAny(w, " \t\r\n\"'\\$`|&;<>()*?[]#~{}!") {
			list[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(list, " ")
}

func split(text string) (words []string, err error) {
	var word strings.Builder
	open, quote := false, rune(0)
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, open = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case strings.ContainsRune(" \t\r\n", r):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 || escaped {
		return nil, fmt.Errorf("%.60q has a quote without its end", secret.Mask(text))
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
