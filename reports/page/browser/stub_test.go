package browser_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
)

// writePage writes a minimal page with these parts as its data, and returns its URL.
func writePage(parts map[string]any) (url string) {
	GinkgoHelper()
	style := ""
	names, err := filepath.Glob("../style/*.css")
	Expect(err).NotTo(HaveOccurred())
	for _, n := range names {
		text, err := os.ReadFile(n)
		Expect(err).NotTo(HaveOccurred())
		style += string(text)
	}
	script := page.Script()
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src %s; script-src %s; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>evalctl</title><style>%s</style></head><body>
<header class="bar"><span class="brand">evalctl</span><nav aria-label="views"><a href="#overview">Overview</a><a href="#suite/router">router</a><a href="#cases">Cases</a></nav><button type="button" id="theme" hidden>◐</button></header>
<main><section id="overview" data-view="overview"><h1>Overview</h1><p>Of a run.</p></section>
<section id="suite/router" data-view="suite"><h1>router</h1><h2 id="suite/router/confusion">Confusion</h2><table><tr><td><a id="cell" href="#cases?suite=router&amp;variant=rules&amp;expected=search&amp;predicted=chat">77</a></td></tr></table>
<p><a id="gained" href="#cases?suite=router&amp;variant=llm&amp;change=fixed">+70</a></p></section></main>
<footer>Made by a test.</footer>`, hash(style), hash(script), style)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintf(&b, "<script type=\"text/plain\" id=\"d-%s\">%s</script>\n", name, packed(parts[name]))
	}
	fmt.Fprintf(&b, "<script>%s</script></body></html>\n", script)
	file := filepath.Join(GinkgoT().TempDir(), "report.html")
	Expect(os.WriteFile(file, []byte(b.String()), 0o600)).To(Succeed())
	return "file://" + file
}

func packed(part any) string {
	GinkgoHelper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	Expect(json.NewEncoder(z).Encode(part)).To(Succeed())
	Expect(z.Close()).To(Succeed())
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
