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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
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

// chatHelp lists what a user can type in evalctl chat besides messages.
const chatHelp = `  /image URL|FILE   image for the next message
  /mask FILE        area of the image to repaint, white on black
  /document FILE    document for the next message
  /press BUTTON     press a button of the last answer, by label or number; a text may follow
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
				return fmt.Errorf("chat: requires one of %s", suggest.JoinWords(suite.Targets()))
			}
			return checkTargets(args)
		},
		ValidArgsFunction: cobra.FixedCompletions(suite.Targets(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.storeCommand(cmd, args)
			if err != nil {
				return err
			}
			if err := checkSession(session, f.isPersistent()); err != nil {
				return flagError("session", err)
			}
			created, err := exit.CallInterruptible(cmd.Context(),
				func() (agents, error) { return f.agents(cmd.Context(), args) })
			if err != nil {
				return err
			}
			of, _ := suite.FindSystem(args[0]) // the argument was checked before
			stderr := cmd.ErrOrStderr()
			if err := cmp.Or(created.printWarnings(stderr), printSimulated(stderr, created.simulated)); err != nil {
				return errors.Join(err, closeAll(created.all))
			}
			c := &chat{
				agent:        created.all[args[0]],
				simulated:    created.simulated[args[0]],
				contract:     of.Contract,
				isPersistent: f.isPersistent(),
				session:      cmp.Or(session, newSession()),
				debounce:     f.debounceTimes(of),
				after:        time.After,
				out:          terminal.Printer{W: cmd.OutOrStdout()},
			}
			if f.model == "" && !of.IsExternal() {
				c.hint = "Its models are simulated, and know the shipped texts alone; --model asks a real one.\n"
			}
			return errors.Join(c.talk(cmd.Context(), args[0], cmd.InOrStdin()), agent.Close(c.agent))
		},
	}
	f.register(cmd, settings)
	cmd.Flags().StringVar(&session, "session", "",
		"go on with the conversation `NAME` of an agent that keeps its conversations in a file")
	return cmd
}

// chat is a conversation with an agent in a terminal.
type chat struct {
	agent        agent.Agent
	contract     system.Contract
	simulated    []string // names of the simulated components, shown after each answer
	hint         string   // shown at the start if no model is real
	keyboard     terminal.LineReader
	pending      chan lineResult // receives the result of a read that is in progress; nil if there is none
	out          terminal.Printer
	needsPrompt  bool           // interactive, but the line reader has no prompt of its own
	interrupts   chan os.Signal // receives Ctrl-C; nil if not interactive
	session      string         // name of the conversation, by which the agent identifies it
	isPersistent bool           // another process can resume the conversation
	next         agent.Turn     // attachments for the next message
	persistent   agent.Turn     // options and state to send with every message
	debounce     system.DebounceTimes
	burst        []string  // messages that wait for further ones, and are sent as one turn
	burstStart   time.Time // when the first of them was typed
	// returns a channel that receives after a duration, like time.After
	after      func(time.Duration) <-chan time.Time
	buttons    []terminal.Button // of the last answer
	hasOffered bool              // the user has read how to press a button
}

// errPause reports that the user has typed nothing for the time of a burst.
var errPause = errors.New("no further message")

type lineResult struct {
	line string
	err  error
}

// talk runs the conversation until the input ends. In an interactive terminal, Ctrl-C cancels the
// current answer; otherwise it ends the program.
func (c *chat) talk(ctx context.Context, name string, in io.Reader) error {
	c.keyboard = terminal.NewPlainReader(in)
	if terminal.IsInteractive(in, c.out.W) {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		c.interrupts = make(chan os.Signal, 1)
		signal.Notify(c.interrupts, os.Interrupt)
		defer signal.Stop(c.interrupts)
		c.out.Printf("Type a message for %s, or /help; Ctrl-D ends.\n%s", name, c.hint)
		if c.needsPrompt = !terminal.CanEdit(in, c.out.W); !c.needsPrompt {
			c.keyboard = terminal.NewEditor()
		}
	}
	c.printSession()
	return errors.Join(c.run(ctx), c.keyboard.Close())
}

// printSession prints how to resume the conversation, if it is stored permanently.
func (c *chat) printSession() {
	if c.isPersistent {
		c.out.Printf("· conversation %s; go on with --session %[1]s\n", c.session)
	}
}

// run reads the user's lines and handles each, until the input ends or the user quits.
func (c *chat) run(ctx context.Context) error {
	for hinted := false; c.out.Err == nil; {
		line, err := c.read(ctx)
		aborted := errors.Is(err, terminal.ErrAborted)
		switch {
		case err == io.EOF:
			c.endLine()
			c.sendBurst(ctx)
			return c.out.Err
		case err == errPause:
			c.sendBurst(ctx)
		case aborted && len(c.burst) > 0:
			c.burst, aborted = nil, false
			c.out.Printf("· stopped\n")
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

// read waits for a line from the user, an interrupt or the end of a burst. An interrupted read cannot
// be canceled, so its result becomes the next line.
func (c *chat) read(ctx context.Context) (string, error) {
	if c.needsPrompt {
		c.out.Printf(terminal.Prompt)
	}
	if c.pending == nil {
		pending := make(chan lineResult, 1)
		c.pending = pending
		go func() {
			line, err := c.keyboard.ReadLine()
			pending <- lineResult{line, err}
		}()
	}
	var pause <-chan time.Time
	if len(c.burst) > 0 {
		pause = c.after(min(c.debounce.QuietPeriod, c.debounce.MaxWait-time.Since(c.burstStart)))
	}
	select {
	case t := <-c.pending:
		c.pending = nil
		return t.line, t.err
	case <-pause:
		return "", errPause
	case <-c.interrupts:
		c.endLine()
		return "", terminal.ErrAborted
	case <-ctx.Done():
		c.endLine()
		return "", exit.ErrInterrupted
	}
}

// endLine moves to a new line after a prompt that the user did not answer.
func (c *chat) endLine() {
	if c.interrupts != nil {
		c.out.Printf("\n")
	}
}

// line handles a line of the user: a command such as /new, or a message. quit is true if the line
// ends the conversation.
func (c *chat) line(ctx context.Context, text string) (quit bool) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	isMessage := word == "" || !slices.Contains(chatCommands, word) && (rest != "" || !isCommand(word))
	if !isMessage {
		c.sendBurst(ctx) // the command is for the messages after it
	}
	switch word {
	case "":
	case "/quit", "/exit":
		return true
	case "/help":
		c.out.Printf("%s", chatHelp)
	case "/new":
		c.session = newSession()
		c.next = agent.Turn{}
		c.persistent = agent.Turn{}
		c.buttons = nil
		c.out.Printf("· a new conversation\n")
		c.printSession()
	case "/image", "/mask", "/document":
		if err := c.attach(word, rest); err != nil {
			c.out.Printf("! %s: %v\n", word, err)
		}
	case "/press":
		c.press(ctx, rest)
	case "/set":
		c.set(rest)
	default:
		if !isMessage {
			c.out.Printf("! %.40s is not one of /document, /help, /image, /mask, /new, /press, /quit, /set\n", word)
			return false
		}
		c.receive(ctx, text)
	}
	return false
}

// chatCommands are the commands that a user can type.
var chatCommands = []string{"/document", "/exit", "/help", "/image", "/mask", "/new", "/press", "/quit", "/set"}

// receive sends a message, or adds it to the burst if the agent combines messages.
func (c *chat) receive(ctx context.Context, text string) {
	if c.debounce.MaxMessages == 0 {
		c.send(ctx, text)
		return
	}
	if len(c.burst) == 0 {
		c.burstStart = time.Now()
	}
	if c.burst = append(c.burst, text); len(c.burst) >= c.debounce.MaxMessages {
		c.sendBurst(ctx)
	}
}

// sendBurst sends the messages that wait as one turn.
func (c *chat) sendBurst(ctx context.Context) {
	if len(c.burst) > 0 {
		burst := c.burst
		c.burst = nil
		c.send(ctx, burst...)
	}
}

// isCommand reports whether a word looks like a mistyped command. A path or a comment at the start
// of a message does not.
func isCommand(word string) bool {
	name, ok := strings.CutPrefix(word, "/")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
}

func (c *chat) attach(word, what string) error {
	if word == "/document" {
		d, err := readDocument(what)
		if err != nil {
			return err
		}
		c.next.Documents = append(c.next.Documents, d)
	} else {
		data, err := attachmentURL(what)
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

// press sends a button of the last answer, with the text that follows its label or number.
func (c *chat) press(ctx context.Context, what string) {
	var names []string
	for i, b := range c.buttons {
		number := strconv.Itoa(i + 1)
		for _, name := range []string{number, b.Label} {
			text, ok := strings.CutPrefix(what, name)
			if ok && (text == "" || strings.HasPrefix(text, " ")) {
				c.next.ButtonID = b.ID
				c.send(ctx, cmp.Or(strings.TrimSpace(text), b.Label))
				return
			}
		}
		names = append(names, number+" "+b.Label)
	}
	if names == nil {
		c.out.Printf("! /press: the last answer has no buttons\n")
		return
	}
	c.out.Printf("! /press: %.40s is not one of %s\n", what, strings.Join(names, ", "))
}

// send sends messages to the agent as one turn and streams the answer to the terminal.
func (c *chat) send(ctx context.Context, messages ...string) {
	t := c.next
	c.next = agent.Turn{}
	t.Text, t.Session = agent.JoinBatch(messages), c.session
	t.Options, t.State = maps.Clone(c.persistent.Options), maps.Clone(c.persistent.State)
	if c.contract.AllowBatch {
		t.Batch = messages // the agent answers only these
	}
	show := &terminal.ReplyPrinter{Out: &c.out}
	answer, end := c.interruptible(ctx)
	defer end()
	reply, err := c.agent.Respond(answer, t, show.ShowEvent)
	stopped := answer.Err() != nil && (err != nil || reply.ErrorReply != nil)
	if stopped {
		reply = agent.Reply{} // drop the error reply: the user canceled the answer
	}
	show.Finish(reply)
	if c.buttons = show.Buttons(); c.buttons != nil && !c.hasOffered {
		c.hasOffered = true
		c.out.Printf("· /press 1 presses [%s]\n", c.buttons[0].Label)
	}
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

// interruptible returns a context for one answer, which Ctrl-C cancels.
func (c *chat) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	answer, end := context.WithCancel(ctx)
	if c.interrupts == nil {
		return answer, end
	}
	select {
	case <-c.interrupts: // drop an interrupt that came after the previous answer
	default:
	}
	go func(pending chan lineResult) {
		select {
		case <-c.interrupts:
			end()
		case t := <-pending: // while a line is edited, Ctrl-C reaches the editor
			if errors.Is(t.err, terminal.ErrAborted) {
				t = lineResult{}
				end()
			}
			pending <- t
		case <-answer.Done():
		}
	}(c.pending)
	return answer, end
}
