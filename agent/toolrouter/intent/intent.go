package intent

// Routes is a set of routes; chat is what remains when none is taken.
type Routes uint8

// The routes that rules can choose, in the order in which they are asked.
const (
	ImageGen Routes = 1 << iota
	TimeQuery
	WebSearch
)

// Image tells whether text asks for a picture (detectImageGenIntent), and by
// which rule. A negative rule comes with false: it stopped the whole message.
func Image(text string) (Rule, bool) {
	return read(text, ImageGen).image()
}

// Search tells whether text needs the web (detectWebSearchIntent).
func Search(text string) (Rule, bool) {
	return read(text, WebSearch).search()
}

// Time tells whether a local clock can answer text (detectTimeIntent).
func Time(text string) (Rule, bool) {
	return read(text, TimeQuery).time()
}

// Decide asks the open routes in the order image, time, search. With route 0,
// chat, the rule is empty, or the negative one that kept image generation out.
func Decide(text string, open Routes) (route Routes, rule Rule) {
	found := read(text, open)
	stopped, ok := found.image()
	if ok {
		return ImageGen, stopped
	}
	if rule, ok := found.time(); ok {
		return TimeQuery, rule
	}
	if rule, ok := found.search(); ok {
		return WebSearch, rule
	}
	return 0, stopped
}
