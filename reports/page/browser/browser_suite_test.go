// Package browser_test opens report pages in a real browser. It visits every view, clicks and
// types. Any error that the browser reports fails the test.
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

// suiteTimeout is the timeout for all tests together, and waitTimeout for a single wait. The tests
// need about 15 s; the rest is for busy machines.
const (
	suiteTimeout = 3 * time.Minute
	waitTimeout  = 20 * time.Second
)

func TestBrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "a report in a browser")
}

// tab is the browser tab that all tests use.
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

func (c *browserErrors) drain() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

var _ = AfterEach(func() { Expect(problems.drain()).To(BeEmpty(), "what the browser complains of") })

// do runs browser actions. It fails the test if they do not finish within waitTimeout.
func do(actions ...chromedp.Action[chromedp.Void]) {
	GinkgoHelper()
	bounded, end := context.WithTimeout(tab, waitTimeout)
	defer end()
	Expect(chromedp.Do(bounded, actions...)).To(Succeed())
}

// call returns an action that sends a command of the browser's protocol which has no result.
func call[P any](command cdp.Command[P, cdp.Empty], given P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, given)
		return err
	})
}

func value[T any](expression string) T {
	GinkgoHelper()
	bounded, end := context.WithTimeout(tab, waitTimeout)
	defer end()
	v, err := chromedp.Run(bounded, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	Expect(err).NotTo(HaveOccurred(), expression)
	return v
}

func waitFor(expression string) {
	GinkgoHelper()
	isTrue := func() bool { return value[bool]("Boolean(" + expression + ")") }
	message := func() string {
		return expression + "\n" + value[string]("location.hash + '\\n' + document.body.innerText.slice(0, 600)")
	}
	Eventually(isTrue).WithTimeout(waitTimeout).WithPolling(10*time.Millisecond).Should(BeTrue(), message)
}
