// Package browser_test opens reports in a browser: it visits every view, clicks, types, and fails
// on script errors.
package browser_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// suiteTimeout is the timeout of all specs together, and waitTimeout of a single wait. They allow
// for a busy machine; the specs need about 15 s.
const (
	suiteTimeout = 3 * time.Minute
	waitTimeout  = 20 * time.Second
)

func TestBrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "a report in a browser")
}

// tab is the browser tab, shared by all specs.
var (
	tab      context.Context
	problems browserErrors
)

var _ = BeforeSuite(func() {
	if os.Getenv("EVALCTL_NEED_BROWSER") == "" {
		Skip("make browser runs it")
	}
	binary := chromium()
	Expect(binary).NotTo(BeEmpty(), "no chromium, chromium-browser or google-chrome in PATH")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(binary), chromedp.NoSandbox,
		chromedp.Flag("hide-scrollbars", true))
	bounded, end := context.WithTimeout(context.Background(), suiteTimeout)
	DeferCleanup(end)
	allocated, kill := chromedp.NewExecAllocator(bounded, options...)
	DeferCleanup(kill)
	var shut context.CancelFunc
	tab, shut = chromedp.NewContext(allocated, chromedp.WithListener(problems.listen))
	DeferCleanup(shut)
	Expect(chromedp.Do(tab)).To(Succeed())
})

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return ""
}

// browserErrors collects script errors, console messages and violations of the content security
// policy.
type browserErrors struct {
	mu   sync.Mutex
	list []string
}

func (c *browserErrors) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		c.add(fmt.Sprintf("%+v", *e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		c.add(fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		c.add(fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text))
	}
}

func (c *browserErrors) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, text)
}

// drain returns the complaints since the last call.
func (c *browserErrors) drain() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

var _ = AfterEach(func() { Expect(problems.drain()).To(BeEmpty(), "what the browser complains of") })

// do runs actions with a timeout.
func do(actions ...chromedp.Action[chromedp.Void]) {
	GinkgoHelper()
	bounded, end := context.WithTimeout(tab, waitTimeout)
	defer end()
	Expect(chromedp.Do(bounded, actions...)).To(Succeed())
}

// call is a command of the browser's protocol without a result.
func call[P any](command cdp.Command[P, cdp.Empty], given P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, given)
		return err
	})
}

// value evaluates an expression in the page.
func value[T any](expression string) T {
	GinkgoHelper()
	bounded, end := context.WithTimeout(tab, waitTimeout)
	defer end()
	v, err := chromedp.Run(bounded, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	Expect(err).NotTo(HaveOccurred(), expression)
	return v
}

// waitFor waits until an expression in the page is true.
func waitFor(expression string) {
	GinkgoHelper()
	isTrue := func() bool { return value[bool]("Boolean(" + expression + ")") }
	message := func() string {
		return expression + "\n" + value[string]("location.hash + '\\n' + document.body.innerText.slice(0, 600)")
	}
	Eventually(isTrue).WithTimeout(waitTimeout).WithPolling(10*time.Millisecond).Should(BeTrue(), message)
}
