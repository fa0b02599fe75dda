package browser_test

import (
	"reflect"
	"strings"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
)

// poison is put in front of every text of the data. It contains markup, a script, a URL, the end of
// a script element, direction marks, and names of built-in object properties.
const poison = "__proto__</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">" +
	"javascript:alert(1)\"'`]]>&lt;\u202e\u200b\u0007\u2028%00#/../?a=b&c=d "

// poisonAll puts poison in front of every text in a value.
func poisonAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			v.SetString(poison + v.String())
		}
	case reflect.Slice:
		for i := range v.Len() {
			poisonAll(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			poisonAll(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			poisonAll(v.Field(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			copied := reflect.New(v.Type().Elem()).Elem()
			copied.Set(v.MapIndex(k))
			poisonAll(copied)
			v.SetMapIndex(k, copied)
		}
	}
}

// hostile returns the data of a report with poison in every text. Exceptions are texts with a fixed
// meaning, such as event kinds, and images.
func hostile() data {
	d := report()
	poisonAll(reflect.ValueOf(&d.meta).Elem())
	poisonAll(reflect.ValueOf(d.texts))
	poisonAll(reflect.ValueOf(d.blocks))
	for _, s := range d.meta.Suites {
		for i := range s.Conditions {
			if strings.HasSuffix(s.Conditions[i].Fault, "none") {
				s.Conditions[i].Fault = "none"
			}
		}
	}
	for id, p := range d.prompts {
		delete(d.prompts, id)
		p.Text = poison + p.Text
		d.prompts[poison+id] = p
	}
	for _, b := range d.blocks {
		for _, c := range b.Cases {
			for _, t := range c.Trials {
				for _, turn := range t.Turns {
					for i := range turn.Events {
						turn.Events[i].Kind = strings.TrimPrefix(turn.Events[i].Kind, poison)
					}
				}
			}
		}
	}
	d.meta.TraceURL = ""
	return d
}

// elements is an expression that counts all elements except images, their replacements, and word
// breaks in long names.
const elements = "document.querySelectorAll('main *:not(img, .address, wbr)').length"

// harmless fails if the hostile data changed the page, ran a script or loaded something.
func harmless() {
	GinkgoHelper()
	Expect(value[string]("document.title")).NotTo(Equal("pwned"))
	Expect(value[int]("[...document.querySelectorAll('main a, main img')].filter((e) => !(e.getAttribute('href') ?? '#').startsWith('#')).length")).To(BeZero())
	Expect(value[int]("document.documentElement.scrollWidth")).To(BeNumerically("<=", 390))
	Expect(value[bool](`/[\u0007\u200b\u2028\u202e]/.test(document.querySelector('main').textContent)`)).To(BeFalse())
	Expect(text("main")).To(ContainSubstring("[U+202E]"))
	Expect(value[[]string](lowContrast)).To(BeEmpty())
}

var _ = Describe("a report page with hostile names and texts", func() {
	BeforeEach(func() { do(setScreen(390, "dark")) })

	It("gets no additional elements and runs no scripts from these texts, in lists and in cases", func() {
		type seen struct{ elements, images int }
		plain := map[string]seen{}
		for _, prefix := range []string{"", poison} {
			d := report()
			if prefix != "" {
				d = hostile()
			}
			url := writePage(d.parts())
			for _, names := range [][]string{{"router", "tr-002", "llm"}, {"studio/2", "st-1", "v2"}} {
				for _, form := range []string{"#cases?suite={suite}", "#case/{suite}/{case}",
					"#case/{suite}/{case}?with={with}"} {
					name := names[0] + form
					visit(url, strings.NewReplacer("{suite}", escaped(prefix+names[0]), "{case}",
						escaped(prefix+names[1]), "{with}", escaped(prefix+names[2])).Replace(form))
					found := seen{value[int](elements), count("main img")}
					if prefix == "" {
						plain[name] = found
						continue
					}
					Expect(found.elements).To(Equal(plain[name].elements), name)
					Expect(found.images).To(BeNumerically("<=", plain[name].images), name)
					harmless()
				}
			}
		}
	})

	It("has working links from the list to a case and from there to another condition", func() {
		visit(writePage(hostile().parts()), "#cases?variant="+escaped(poison+"rules"))
		Expect(value[string]("document.querySelector('#cases .list li a').getAttribute('href')")).To(Equal(
			page.CaseLink{List: page.CasesLink{Suite: poison + "router", Variant: poison + "rules"},
				ID: poison + "tr-001"}.String()))
		do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#cases .list li a').click()"))
		waitFor("document.querySelector('#cases.opened #condition-2')")
		do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#condition-2').click()"))
		waitFor("document.querySelector('#condition-2').getAttribute('aria-current')")
		do(chromedp.Evaluate[chromedp.Void]("document.querySelector('#to-list').click()"))
		waitFor("!document.querySelector('#cases.opened') && document.querySelector('#by-fault').selectedIndex === 1")
	})
})
