// Package program starts the commands that a user configures, such as an agent or an MCP server. It
// ends them with all their child processes.
package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/secret"
)

// SplitCommand splits a command into words. The command is a JSON list of words, or text that is
// split as by a shell: at spaces outside of quotes and backslash escapes. Variables, patterns and
// pipes have no special meaning.
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

// CommandVariables returns the names of the environment variables that a command refers to with
// $NAME or ${NAME}.
func CommandVariables(text string) []string {
	words, err := SplitCommand(text)
	if err != nil {
		return nil // SplitCommand returns this error again when the command is checked
	}
	return secret.EnvReferences(words...)
}

// ExpandCommand splits a command into words and replaces $NAME and ${NAME} with the values of these
// environment variables. The values are added to secrets, so that they are redacted. No shell is
// involved.
func ExpandCommand(text string, secrets *secret.Set) (words []string, err error) {
	words, err = SplitCommand(text)
	for i := range words {
		if err == nil {
			words[i], err = secrets.ExpandEnv(words[i])
		}
	}
	return words, err
}

// JoinCommand joins the words of a command with quotes where needed, so that it can be pasted into
// a shell.
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
