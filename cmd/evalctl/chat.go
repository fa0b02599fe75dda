package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"evalctl/agent"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

func chatCommand() *cobra.Command {
	var f agentFlags
	cmd := &cobra.Command{
		Use:   "chat AGENT",
		Short: "Talk to an agent in the terminal",
		Long: `Talk to an agent: a line is a message, the answer streams. Agents are

` + systemsHelp() + `
  /image URL|FILE   the picture that the next message is about
  /mask FILE        its area to be repainted, white on black
  /new              a new conversation
  /quit             ends, as Ctrl-D and Ctrl-C do

Without flags everything behind the agent is simulated, in real time. Keys of
real models are read from the environment: ` + providersHelp() + `.`,
		Example: examples("chat"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("chat: wants one of %s", suggest.Join(suite.Targets()))
			}
			return checkTargets(args)
		},
		ValidArgsFunction: cobra.FixedCompletions(suite.Targets(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			agents, err := exit.Await(cmd.Context(), func() (map[string]agent.Agent, error) { return f.agents(args) })
			if err != nil {
				return err
			}
			c := &chat{agent: agents[args[0]], out: terminal.Printer{W: cmd.OutOrStdout()}, in: cmd.InOrStdin()}
			return c.run(cmd.Context())
		},
	}
	f.register(cmd)
	return cmd
}

// chat is a conversation in a terminal.
type chat struct {
	agent   agent.Agent
	in      io.Reader
	out     terminal.Printer
	prompts bool // a person is at the keyboard
	session int
	next    agent.Turn // what was attached to the next message
}

// run talks until the input ends.
func (c *chat) run(ctx context.Context) error {
	file, ok := c.in.(*os.File)
	c.prompts = ok && isatty.IsTerminal(file.Fd()) && terminal.Is(c.out.W)
	lines := make(chan string)
	ended := make(chan error, 1)
	go func() { ended <- readLines(ctx, c.in, lines) }() // a read under way cannot be interrupted: it ends with the process
	for c.out.Err == nil {
		c.prompt()
		select {
		case <-ctx.Done():
			c.newLine()
			return exit.ErrInterrupted
		case err := <-ended:
			c.newLine()
			return cmp.Or(err, c.out.Err)
		case line := <-lines:
			if quit := c.line(ctx, strings.TrimSpace(line)); quit {
				return c.out.Err
			}
		}
	}
	return c.out.Err
}

// readLines hands lines on until there are no more.
func readLines(ctx context.Context, in io.Reader, to chan<- string) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		select {
		case to <- s.Text():
		case <-ctx.Done():
			return nil
		}
	}
	return s.Err()
}

func (c *chat) prompt() {
	if c.prompts {
		c.out.Printf("› ")
	}
}

func (c *chat) newLine() {
	if c.prompts {
		c.out.Printf("\n")
	}
}

// line does what a line says, and tells whether it was the last.
func (c *chat) line(ctx context.Context, text string) (quit bool) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
	case "/quit", "/exit":
		return true
	case "/new":
		c.session++
		c.next = agent.Turn{}
		c.out.Printf("· a new conversation\n")
	case "/image", "/mask":
		if err := c.attach(word, rest); err != nil {
			c.out.Printf("! %s: %v\n", word, err)
		}
	default:
		if strings.HasPrefix(word, "/") {
			c.out.Printf("! %s is none of /image, /mask, /new, /quit\n", word)
			return false
		}
		c.say(ctx, text)
	}
	return false
}

func (c *chat) attach(word, what string) error {
	data, err := attachment(what)
	if err != nil {
		return err
	}
	if word == "/mask" {
		c.next.Mask = data
	} else {
		c.next.Images = append(c.next.Images, data)
	}
	c.out.Printf("· goes with the next message\n")
	return nil
}

// say sends a message and shows the answer as it comes.
func (c *chat) say(ctx context.Context, text string) {
	t := c.next
	c.next = agent.Turn{}
	t.Text, t.Session = text, fmt.Sprintf("chat %d", c.session)
	show := &terminal.Screen{Out: &c.out}
	reply, err := c.agent.Respond(ctx, t, show.Event)
	show.End(reply)
	if err != nil && ctx.Err() == nil {
		c.out.Printf("! %s\n", terminal.OneLine(err))
	}
}
