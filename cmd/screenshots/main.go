// Command screenshots creates the images of the README from a real run: the overview in a terminal,
// and the HTML report in light and dark. It requires Chromium.
//
//	go run ./cmd/screenshots docs/images
package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"evalctl/eval/suite"
)

const (
	pageWidth, pageHeight = 1280, 1000 // size of the browser window in CSS pixels
	terminalColumns       = "100"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: screenshots DIR")
	}
	if err := makeAll(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func makeAll(ctx context.Context, dir string) error {
	work, err := os.MkdirTemp("", "screenshots")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	evalctl := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, filepath.Join(work, "evalctl"), args...)
		cmd.Dir, cmd.Stderr = work, os.Stderr
		cmd.Env = append(os.Environ(), "COLUMNS="+terminalColumns)
		return cmd.Output()
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", work, "./cmd/evalctl")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build evalctl: %w", err)
	}
	overview, err := evalctl("run", "--out", "runs/first", "-q")
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	for _, args := range [][]string{
		{"run", suite.Systems()[0].Name, "--out", "runs/router", "-q", "--gate",
			"route.accuracy{variant=llm-history,fault=none} >= 90%",
			"--gate", "latency.p95{fault=none} <= 12s", "--gate", "error_reply.rate <= 1%",
			"--gate", "route.recall.time_query{variant=llm-history} >= 90%"},
		{"report", "runs/router", "--html", "report.html"},
	} {
		if _, err := evalctl(args...); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
	}
	screen := filepath.Join(work, "terminal.html")
	if err := os.WriteFile(screen, terminal(string(overview)), 0o600); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.Flag("hide-scrollbars", true))
	bounded, end := context.WithTimeout(ctx, 5*time.Minute)
	defer end()
	allocated, kill := chromedp.NewExecAllocator(bounded, options...)
	defer kill()
	tab, shut := chromedp.NewContext(allocated)
	defer shut()
	report := filepath.Join(work, "report.html")
	for _, shot := range []struct{ file, page, scheme, element string }{
		{"terminal.png", screen, "dark", "pre"},
		{"report-light.png", report, "light", ""},
		{"report-dark.png", report, "dark", ""},
	} {
		if err := screenshot(tab, shot.page, shot.scheme, shot.element, filepath.Join(dir, shot.file)); err != nil {
			return fmt.Errorf("%s: %w", shot.file, err)
		}
	}
	return nil
}

// screenshot writes an image of a local page, or of one of its elements, in a color scheme ("light"
// or "dark").
func screenshot(tab context.Context, page, scheme, element, path string) error {
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme",
		Value: scheme}}}
	err := chromedp.Do(tab,
		chromedp.EmulateViewport(pageWidth, pageHeight),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
			return err
		}),
		chromedp.Navigate("file://"+page),
		chromedp.Sleep(time.Second), // time for the page's script to draw its charts
	)
	if err != nil {
		return err
	}
	shoot := chromedp.CaptureScreenshot()
	if element != "" {
		shoot = chromedp.Screenshot(chromedp.CSS(element))
	}
	raw, err := chromedp.Run(tab, shoot)
	if err != nil {
		return err
	}
	small, err := reduce(raw)
	if err != nil {
		return err
	}
	return os.WriteFile(path, small, 0o644)
}

// reduce encodes a PNG image again with its 256 most frequent colors. The file then has a third of
// the size.
func reduce(raw []byte) ([]byte, error) {
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	counts := map[color.RGBA]int{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			counts[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	few := image.NewPaletted(img.Bounds(), frequent(counts, 256))
	draw.Draw(few, few.Bounds(), img, img.Bounds().Min, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few)
	return out.Bytes(), err
}

// terminal returns an HTML page that shows text as the output of `evalctl run` in a terminal.
func terminal(text string) []byte {
	return []byte(`<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #16181d; }
pre { margin: 0; padding: 20px 24px; width: max-content; background: #16181d; color: #d8dce4;
  font: 13px/1.45 "DejaVu Sans Mono", "WenQuanYi Micro Hei", monospace; }
b { color: #7fd1b9; font-weight: normal; }
</style><pre><b>$ evalctl run</b>
` + html.EscapeString(strings.TrimRight(text, "\n")) + "\n</pre>\n")
}
