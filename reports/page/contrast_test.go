package page_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// palettes returns the colors of the style sheet by name, for each theme: light, dark by choice,
// dark by system setting, and print.
func palettes() (list []map[string]string) {
	GinkgoHelper()
	text, err := os.ReadFile("style/1colors.css")
	Expect(err).NotTo(HaveOccurred())
	for block := range strings.SplitSeq(string(text), "color-scheme: ") {
		colors := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+): #([0-9a-f]{3,6});`).FindAllStringSubmatch(block, -1) {
			color := m[2]
			if len(color) == 3 {
				color = fmt.Sprintf("%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", color[0], color[1], color[2])
			}
			colors[m[1]] = color
		}
		if len(colors) > 0 {
			list = append(list, colors)
		}
	}
	Expect(list).To(HaveLen(4))
	return list
}

func luminance(color string) float64 {
	v, err := strconv.ParseUint(color, 16, 32)
	Expect(err).NotTo(HaveOccurred(), color)
	linear := func(n uint64) float64 {
		c := float64(n&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(v>>16) + 0.7152*linear(v>>8) + 0.0722*linear(v)
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

var _ = Describe("The colors of a report page", func() {
	It("have a contrast of at least 4.5 between text and background", func() {
		for _, p := range palettes() {
			check := func(text, on string) {
				Expect(contrast(p[text], p[on])).To(BeNumerically(">=", 4.5), "%s on %s: %s on %s", text, on,
					p[text], p[on])
			}
			for _, on := range []string{"bg", "panel"} {
				for _, text := range []string{"ink", "mute", "blue", "orange", "warn"} {
					check(text, on)
				}
			}
			check("ink", "blue-bg")
			check("blue", "blue-bg")
			check("orange", "orange-bg")
			for _, ramp := range []string{"o", "b"} {
				for level := 1; level <= 6; level++ {
					text := "ink"
					if level >= 5 {
						text = "flip"
					}
					check(text, fmt.Sprint(ramp, level))
				}
			}
		}
	})

	It("are the same if the reader or the system selects dark mode, and light in print", func() {
		p := palettes()
		Expect(p[1]).To(Equal(p[2]))
		Expect(p[3]).To(Equal(p[0]))
	})

	It("for texts are, in every style sheet, only those whose contrast is checked", func() {
		sheets, err := os.ReadDir("style")
		Expect(err).NotTo(HaveOccurred())
		for _, sheet := range sheets {
			text, err := os.ReadFile("style/" + sheet.Name())
			Expect(err).NotTo(HaveOccurred())
			for _, m := range regexp.MustCompile(`[{; ]color: ([^;}]+)[;}]`).FindAllStringSubmatch(string(text), -1) {
				Expect(strings.TrimSpace(m[1])).To(BeElementOf("var(--ink)", "var(--mute)", "var(--blue)",
					"var(--orange)",
					"var(--warn)", "var(--flip)", "inherit"), sheet.Name())
			}
		}
	})
})
