package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"

	"evalctl/agent"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// chatHelp says what lines do that are no messages.
const chatHelp = `  /image URL|FILE   image for the next message
  /mask FILE        area of the image to repaint, white on black
  /document FILE    document for the next message
  /set NAME VALUE   set an option or a state field; without arguments, list them
  /new              start a new conversation
  /help             show this list
  /quit             quit, like Ctrl-D
  Ctrl-C            cancel the answer
`

func chatCommand(secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := agentFlags{endpointFlags: endpointFlags{secrets: secrets}}
	session := ""
	cmd := &cobra.Command{
		Use:   "chat AGENT [-- COMMAND…]",
		Short: "Talk to an agent in the terminal",
		Long: `Talk to an agent: a line is a message, the answer streams. Agents are

` + systemsHelp() + "\n" + chatHelp + `
The agent remembers the conversation. The arrow keys edit lines and recall earlier ones.
Without flags all components are simulated, in real time. With a real component (--model,
--real), every other one must be real, left out (--without) or allowed (--allow-simulated).
A line under each answer names the simulated components. API keys are read from: ` + providersHelp() + `.`,
		Example: examples("chat"),
		Args: func(cmd *cobra.Command, args []string) error {
			args, _, err := argsAfterDash(cmd, args)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return fmt.Errorf("chat: requires one of %s", suggest.Join(suite.Targets()))
			}
			return checkTargets(args)
		},
		ValidArgsFunction: cobra.FixedCompletions(suite.Targets(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.takeCommand(cmd, args)
			if err != nil {
				return err
			}
			if err := checkSession(session, f.lasts()); err != nil {
				return flagError("session", err)
			}
			made, err := exit.Await(cmd.Context(), func() (agents, error) { return f.agents(cmd.Context(), args) })
			if err != nil {
				return err
			}
			of, _ := suite.Find(args[0]) // checked
			if err := tellSimulated(cmd.ErrOrStderr(), made.simulated); err != nil {
				return errors.Join(err, closeAll(made.all))
			}
			c := &chat{agent: made.all[args[0]], simulated: made.simulated[args[0]], contract: of.Contract, lasts: f.lasts(), session: cmp.Or(session, newSession()),
				out: terminal.Printer{W: cmd.OutOrStdout()}}
			if f.model == "" && !of.IsExternal() {
				c.hint = "Its models are simulated, and know the shipped texts alone; --model asks a real one.\n"
			}
			return errors.Join(c.talk(cmd.Context(), args[0], cmd.InOrStdin()), agent.Close(c.agent))
		},
	}
	f.register(cmd, settings)
	cmd.Flags().StringVar(&session, "session", "", "go on with the conversation `NAME` of an agent that keeps its conversations in a file")
	return cmd
}

// chat is a conversation in a terminal.
type chat struct {
	agent      agent.Agent
	contract   system.Contract
	simulated  []string // parts that are simulated
	hint       string   // what a person is told of the models, where none is real
	keyboard   terminal.LineReader
	pending    chan typed // what the keyboard is being asked for; nil: it is not
	out        terminal.Printer
	prompts    bool           // the keyboard does not prompt, and somebody sits before it
	interrupts chan os.Signal // Ctrl-C of that person; nil: there is none
	session    string         // the conversation's name
	lasts      bool           // it can be gone on with in another process
	next       agent.Turn     // what was attached to the next message
	standing   agent.Turn     // options and state of every message of the conversation
}

// typed is what a keyboard gave.
type typed struct {
	line string
	err  error
}

// talk has a conversation until the input ends. A person's Ctrl-C ends an answer,
// anybody else's the program.
func (c *chat) talk(ctx context.Context, name string, in io.Reader) error {
	c.keyboard = terminal.NewLines(in)
	if terminal.IsInteractive(in, c.out.W) {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		c.interrupts = make(chan os.Signal, 1)
		signal.Notify(c.interrupts, os.Interrupt)
		defer signal.Stop(c.interrupts)
		c.out.Printf("Type a message for %s, or /help; Ctrl-D ends.\n%s", name, c.hint)
		if c.prompts = !terminal.CanEdit(in, c.out.W); !c.prompts {
			c.keyboard = terminal.NewEditor()
		}
	}
	c.tellSession()
	return errors.Join(c.run(ctx), c.keyboard.Close())
}

// tellSession says how to go on with the conversation.
func (c *chat) tellSession() {
	if c.lasts {
		c.out.Printf("· conversation %s; go on with --session %[1]s\n", c.session)
	}
}

// run answers line after line.
func (c *chat) run(ctx context.Context) error {
	for hinted := false; c.out.Err == nil; {
		line, err := c.read(ctx)
		aborted := errors.Is(err, terminal.ErrAborted)
		switch {
		case err == io.EOF:
			c.endLine()
			return c.out.Err
		case aborted && hinted:
			return c.out.Err
		case aborted:
			c.out.Printf("· Ctrl-D or /quit ends, and so does another Ctrl-C\n")
		case errors.Is(err, terminal.ErrLongLine):
			c.out.Printf("! %v: it was not sent\n", err)
		case err != nil:
			return err
		default:
			if quit := c.line(ctx, strings.TrimSpace(line)); quit {
				return c.out.Err
			}
		}
		hinted = aborted
	}
	return c.out.Err
}

// read waits for a line. A keyboard cannot be interrupted: what it gives later
// is the next line.
func (c *chat) read(ctx context.Context) (string, error) {
	if c.prompts {
		c.out.Printf(terminal.Prompt)
	}
	if c.pending == nil {
		pending := make(chan typed, 1)
		c.pending = pending
		go func() {
			line, err := c.keyboard.Line()
			pending <- typed{line, err}
		}()
	}
	select {
	case t := <-c.pending:
		c.pending = nil
		return t.line, t.err
	case <-c.interrupts:
		c.endLine()
		return "", terminal.ErrAborted
	case <-ctx.Done():
		c.endLine()
		return "", exit.ErrInterrupted
	}
}

// endLine leaves the line on which a person has typed nothing.
func (c *chat) endLine() {
	if c.interrupts != nil {
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
	case "/help":
		c.out.Printf("%s", chatHelp)
	case "/new":
		c.session = newSession()
		c.next, c.standing = agent.Turn{}, agent.Turn{}
		c.out.Printf("· a new conversation\n")
		c.tellSession()
	case "/image", "/mask", "/document":
		if err := c.attach(word, rest); err != nil {
			c.out.Printf("! %s: %v\n", word, err)
		}
	case "/set":
		c.set(rest)
	default:
		if rest == "" && isCommand(word) {
			c.out.Printf("! %.40s is none of /document, /help, /image, /mask, /new, /quit, /set\n", word)
			return false
		}
		c.say(ctx, text)
	}
	return false
}

// isCommand tells a word that was meant to be a command from a path, or from a
// comment with which a message begins.
func isCommand(word string) bool {
	name, ok := strings.CutPrefix(word, "/")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

func (c *chat) attach(word, what string) error {
	if word == "/document" {
		d, err := document(what)
		if err != nil {
			return err
		}
		c.next.Documents = append(c.next.Documents, d)
	} else {
		data, err := attachment(what)
		if err != nil {
			return err
		}
		if word == "/mask" {
			c.next.Mask = data
		} else {
			c.next.Images = append(c.next.Images, data)
		}
	}
	c.out.Printf("· goes with the next message\n")
	return nil
}

// say sends a message and shows the answer as it comes.
func (c *chat) say(ctx context.Context, text string) {
	t := c.next
	c.next = agent.Turn{}
	t.Text, t.Session = text, c.session
	t.Options, t.State = maps.Clone(c.standing.Options), maps.Clone(c.standing.State)
	if c.contract.AllowBatch {
		t.Batch = []string{text} // a line is all that is to be answered
	}
	show := &terminal.Screen{Out: &c.out}
	answer, end := c.interruptible(ctx)
	defer end()
	reply, err := c.agent.Respond(answer, t, show.Event)
	stopped := answer.Err() != nil && (err != nil || reply.ErrorReply != nil)
	if stopped {
		reply = agent.Reply{} // an apology for what the person has done
	}
	show.Finish(reply)
	if len(c.simulated) > 0 && !stopped && err == nil {
		c.out.Printf("· simulated: %s\n", strings.Join(c.simulated, ", "))
	}
	switch {
	case ctx.Err() != nil:
	case stopped:
		c.out.Printf("· stopped\n")
	case err != nil:
		c.out.Printf("! %s\n", terminal.OneLine(err))
	}
}

// interruptible is a context for an answer that the person's Ctrl-C ends.
func (c *chat) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	answer, end := context.WithCancel(ctx)
	if c.interrupts == nil {
		return answer, end
	}
	select {
	case <-c.interrupts: // it came too late for the answer before
	default:
	}
	go func() {
		select {
		case <-c.interrupts:
			end()
		case <-answer.Done():
		}
	}()
	return answer, end
}
