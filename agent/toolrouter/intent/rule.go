package intent

import "math/bits"

// Rule names the rule group that fired, "" when none did.
type Rule string

// ruleSet holds a bit for every rule that fired, the first in order lowest.
type ruleSet uint32

const (
	imageNeg1 ruleSet = 1 << iota
	imageNeg2
	imageNeg3
	image1
	image2
	image3
	image4
	image5
	image6
	image7
	image8
	search1
	search2
	search3
	search4
	search5
	search6
	search7
	search8
	search9
	search10
	timeClock
	timeDate
	timeWeekday
	timeStamp
	timeZone

	negatives = imageNeg1 | imageNeg2 | imageNeg3
	images    = image8<<1 - 1
	searches  = search10<<1 - search1
	times     = timeZone<<1 - timeClock
)

var names = [...]Rule{
	"image.neg1", "image.neg2", "image.neg3",
	"image.1", "image.2", "image.3", "image.4", "image.5", "image.6", "image.7", "image.8",
	"search.1", "search.2", "search.3", "search.4", "search.5",
	"search.6", "search.7", "search.8", "search.9", "search.10",
	"time.clock", "time.date", "time.weekday", "time.stamp", "time.zone",
}

// when lets a table of rules be written as one expression.
func when(rule ruleSet, fired bool) ruleSet {
	if fired {
		return rule
	}
	return 0
}

func (s ruleSet) image() (Rule, bool) {
	return (s & images).first(), s&negatives == 0 && s&images != 0
}

func (s ruleSet) search() (Rule, bool) {
	return (s & searches).first(), s&searches != 0
}

func (s ruleSet) time() (Rule, bool) {
	return (s & times).first(), s&times != 0
}

func (s ruleSet) first() Rule {
	if s == 0 {
		return ""
	}
	return names[bits.TrailingZeros32(uint32(s))]
}
