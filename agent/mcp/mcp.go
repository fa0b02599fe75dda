// Package mcp lists the tools of Model Context Protocol servers.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"evalctl/agent/clock"
	"evalctl/agent/outbound"
	"evalctl/agent/program"
	"evalctl/agent/secret"
)

// Limits of a session with a server.
const (
	DefaultTimeout = 30 * time.Second // default time limit of a whole session
	maxTools       = 1000
	maxPages       = 100
	maxStderr      = 1000 // bytes of a program's stderr that error messages show
	grace          = time.Second
)

// Tool is a tool that an MCP server offers.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage // JSON Schema of the arguments; nil: the server sent none
}

// Config configures the sessions in which tools are listed. The zero value is ready to use.
type Config struct {
	Timeout time.Duration // time limit of a session; 0: DefaultTimeout
}

// CheckServer returns an error if server is neither an http URL nor a command. A command whose
// program resembles a URL is also an error, because it is probably a mistyped URL.
func CheckServer(server string) error {
	if isURL(server) {
		return nil
	}
	words, err := program.SplitCommand(server)
	if err == nil && strings.Contains(words[0], "://") {
		return fmt.Errorf("%q is not an http URL", secret.Mask(server))
	}
	return err
}

// isURL reports whether a server is given as an http URL. Any other text is a command.
func isURL(server string) bool {
	_, err := outbound.ParseSingleURL(server)
	return err == nil
}

// ListTools connects to a server and returns its tools. An http URL is called with the MCP
// transport "streamable HTTP". Any other text is a command: ListTools starts the program, talks to
// it over stdin and stdout, and ends it.
func (cfg Config) ListTools(ctx context.Context, server string) (list []Tool, err error) {
	if err := CheckServer(server); err != nil {
		return nil, err
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	ctx, cancel := clock.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	secrets := &secret.Set{}
	secrets.AddFromText(server)
	var stderr tail
	var output outputLimit
	if isURL(server) {
		var endpoint string
		if endpoint, err = secrets.ExpandEnvInURL(server); err != nil {
			return nil, fmt.Errorf("%s: %w", secret.Mask(server), err)
		}
		list, err = listTools(ctx, &sdk.StreamableClientTransport{
			Endpoint:             endpoint,
			HTTPClient:           output.client(),
			MaxRetries:           -1,
			DisableStandaloneSSE: true,
		})
	} else {
		list, err = listToolsOfProgram(ctx, server, secrets, &output, &stderr)
	}
	err = cmp.Or(output.limitErr(), err)
	switch {
	case err == nil:
		return list, nil
	case ctx.Err() != nil && stderr.text() == "":
		return nil, fmt.Errorf("%s: does not answer within %v", secret.Mask(server), cfg.Timeout)
	}
	return nil, fmt.Errorf("%s: %s", secret.Mask(server), secrets.Redact(oneLine(err.Error())+stderr.suffix()))
}

// listToolsOfProgram starts a program, lists its tools, and ends it. If the program does not exit
// within the grace period, it is killed with all its child processes.
func listToolsOfProgram(ctx context.Context, line string, secrets *secret.Set, output *outputLimit,
	stderr *tail) ([]Tool, error) {
	argv, err := program.ExpandCommand(line, secrets)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Cancel = func() error { program.KillProcessGroup(cmd); return nil }
	cmd.Stderr, cmd.WaitDelay = stderr, grace
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	guard := program.NewProcessGuard()
	defer guard.Close()
	if err := guard.Start(cmd); err != nil {
		return nil, err
	}
	list, err := listTools(ctx, &sdk.IOTransport{Reader: io.NopCloser(output.reader(out)), Writer: in,
		MaxLineLength: maxBytes})
	if output.limitErr() != nil {
		program.KillProcessGroup(cmd)
	}
	_ = in.Close() // the program exits when its stdin is closed
	stop := clock.AfterFunc(ctx, grace, func() { program.KillProcessGroup(cmd) })
	_ = cmd.Wait() // the exit status does not matter after the tools were listed
	stop()
	program.KillProcessGroup(cmd)
	guard.Remove(cmd)
	return list, err
}

// listTools runs an MCP session and returns the server's tools. It requests a fixed protocol
// version, whose handshake every server supports.
func listTools(ctx context.Context, over sdk.Transport) (list []Tool, err error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "evalctl", Version: "1"}, nil)
	session, err := client.Connect(ctx, over, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }() // the tools were received; an error on closing does not matter
	seen, cursor := map[string]bool{}, ""
	for range maxPages {
		page, err := session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			one, err := toolOf(t)
			if err != nil {
				return nil, err
			}
			if list = append(list, one); len(list) > maxTools {
				return nil, fmt.Errorf("has more than %d tools", maxTools)
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			return list, nil
		}
		if seen[cursor] {
			return nil, errors.New("gives the same page of tools again and again")
		}
		seen[cursor] = true
	}
	return nil, fmt.Errorf("has more than %d pages of tools", maxPages)
}

func toolOf(t *sdk.Tool) (Tool, error) {
	if t == nil || t.Name == "" {
		return Tool{}, errors.New("has a tool without a name")
	}
	one := Tool{Name: t.Name, Description: t.Description}
	if t.InputSchema == nil {
		return one, nil
	}
	var err error
	one.Parameters, err = json.Marshal(t.InputSchema)
	return one, err
}

// tail is an io.Writer that stores the last bytes of a program's stderr for error messages.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last = append(t.last, p...); len(t.last) > 2*maxStderr {
		t.last = append([]byte(nil), t.last[len(t.last)-maxStderr:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return oneLine(string(t.last[max(0, len(t.last)-maxStderr):]))
}

func (t *tail) suffix() string {
	if text := t.text(); text != "" {
		return "; it says: " + text
	}
	return ""
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
}
