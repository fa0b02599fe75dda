// Package program starts commands named by a user, and ends them with all their child processes.
package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/secret"
)

// SplitCommand splits a command into words: the elements of a JSON list, otherwise as a shell
// splits text without variables, patterns or pipes: at spaces outside of quotes and backslash
// escapes.
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

// Variables returns the environment variables of a command.
func Variables(text string) []string {
	words, err := SplitCommand(text)
	if err != nil {
		return nil // reported by the check of the command
	}
	return secret.Variables(words...)
}

// Expanded returns the words of a command with its variables, $NAME or ${NAME}, replaced by their
// values. No shell is involved. The values become secrets.
func Expanded(text string, secrets *secret.Set) (words []string, err error) {
	words, err = SplitCommand(text)
	for i := range words {
		if err == nil {
			words[i], err = secrets.Expand(words[i])
		}
	}
	return words, err
}

// JoinCommand returns a command as one would type it.
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
