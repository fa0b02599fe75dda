package dates

import (
	"regexp"
	"strings"
)

const (
	inPart       = "the very beginning start middle end first second last early mid late"
	weekdayNames = "monday tuesday wednesday thursday friday saturday sunday"
	monthNames   = "january february march april may june july august september october november december " +
		"jan feb mar apr jun jul aug sep oct nov dec"

	// Text after a number which shows that it is not a day: the 5th floor, March 5 miles.
	nth = ` (?:floor|time|century|grade|place|birthday|street|st|ave|avenue|page|chapter|day|` +
		`try|attempt|row|anniversary|round|version|line|one|edition)\b`
	amount = ` ?(?:%|(?:miles?|km|people|times|percent|hours?|minutes?|days|weeks|pm|am|o'clock)\b)`
)

// noDayAfter matches text after a weekday and a number that then name no day (Friday the 5th floor), or that a
// month follows.
const noDayAfter = nth + `| (?:thing|half|part|movie|film)\b| (?:of )?{mon}| (?:of )?(?:last|this) month`

// noMonth matches text after a month which shows that it is none (may be, May's house) or that a number follows.
const noMonth = ` (?:be|have|not)\b|'s| (?:of )?[0-9]`

// notSeason matches text after the name of a season which shows that something else is meant.
const notSeason = `-| (?:is|break|mattress|onions?|rolls?|water|boot|camps?|school|olympics|games?|` +
	`jobs?|interns?|internship|semester|term|class|classes|sale|collection|tires?|coats?|dress|dresses)\b`

// nickname matches the text before a weekday that is part of a name and means no day: Man Friday, Good Friday.
// afterNickname matches the text after such a weekday.
var nickname = regexp.MustCompile(`(?:^|[^a-z' ] ?|\b(?:my|his|her|our|your|their|[a-z]+'s|and|or|is|was|of|` +
	`called|named|like|about|as|with|to|for|by) )(?:man|girl)[ -]$|` +
	`(?:^|[^a-z])((?:an?|another|that) )?(?:black|cyber|good|easter|palm|ash|shrove|fat|pancake|maundy|holy|super|` +
	`giving|casual|freaky|ruby|bloody|blue|manic|taco|tgi)[ -]$`)

const afterNickname = ` (?:best|blues|addams)\b`

// namesWeekday reports whether a weekday after the text means a day: not in Black Friday, but in "a good Friday".
func namesWeekday(before string) bool {
	const longest = 24 // bytes
	found := nickname.FindStringSubmatch(before[max(0, len(before)-longest):])
	return found == nil || found[1] != ""
}

var english = []row{
	{starts: "the_day_before_yesterday day_before_yesterday", pattern: `(?:the )?day before yesterday`, read: day(-2),
		example: "the day before yesterday", counterexample: "the day before"},
	{starts: "yesterday last_night", pattern: `yesterday|last night`, read: day(-1),
		example: "what did I say last night", counterexample: "last nightmare"},
	{starts: "the first second third fourth fifth last",
		pattern: `(?:the )?(first|second|third|fourth|fifth|last) {wday} (?:of|in) ` +
			`(?:{mon}(?:,? (?:of )?([12][0-9]{3}))?|(last|this) month)`, read: nthWeekdayOf,
		example: "the first Monday of April", counterexample: "the first Monday"},
	{starts: inPart, pattern: `{part}{mon}(?:,? (?:of )?([12][0-9]{3}))?`, after: ` [0-9]`, read: partOfNamedMonth,
		example: "the end of March", counterexample: "the end of the march"},
	{starts: inPart, pattern: `{part}(?:the )?(last |this )?(month|year)`, read: partOfPeriod,
		example: "early last month", counterexample: "early months"},
	{starts: inPart, pattern: `{part}((?:19|20)[0-9]{2})`, read: partOfNumberedYear, example: "late 2025",
		counterexample: "late 2500"},

	{starts: "today tonight this_morning this_afternoon this_evening earlier_today",
		pattern: `(?:earlier )?today|tonight|this (?:morning|afternoon|evening)`, read: day(0),
		example: "what did I say this morning", counterexample: "this mornings"},
	{starts: "tomorrow", pattern: `tomorrow`, read: day(1), example: "see you tomorrow", counterexample: "tomorrows"},
	{starts: "the_day_after_tomorrow day_after_tomorrow", pattern: `(?:the )?day after tomorrow`, read: day(2),
		example: "the day after tomorrow", counterexample: "the day after"},

	{starts: "last this next earlier later",
		pattern: `(?:earlier |later )?(last|this|next) week(?:'s|,)?(?: on)? {wdy}`, read: weekOf,
		example: "last week's Monday", counterexample: "last Monday"},
	{starts: "on " + weekdayNames, pattern: `(?:on )?{wday}(?: of|,)? (?:earlier |later )?(last|this|next) week`,
		read: weekdayOfWeek, example: "Monday of last week", counterexample: "Monday last"},
	{starts: "earlier later", pattern: `(earlier|later) (?:in )?(?:this|the) (week|month|year)`, after: `-`,
		read: sideOfToday, example: "earlier this week", counterexample: "earlier this weekend"},
	{starts: "the_week week", pattern: `(?:the )?week of the {nth}`,
		after: nth + `| (?:of )?{mon}| (?:of )?(?:last|this) month`, read: weekOfNth,
		example: "the week of the 20th", counterexample: "the week of the 2nd attempt"},
	{starts: "the on " + weekdayNames, pattern: `(?:on )?(?:the )?{wday} of the week of(?: the)?`,
		after: ` {nth}(?:$|[^ ]| [^o])`, read: weekdayAround,
		example: "the Wednesday of the week of April 20", counterexample: "the Wednesday of April"},
	{starts: "the_week week", pattern: `(?:the )?week (of|starting|beginning|commencing|ending)(?: on)?(?: the)?`,
		read: weekAround, example: "the week of April 20", counterexample: "the week offers"},
	{starts: "the week month year weekend", pattern: `(?:the )?(week|month|year|weekend) before last`, after: ` {wday}`,
		read: beforeLast, example: "the week before last", counterexample: "the week before"},
	{starts: "the " + weekdayNames, pattern: `(?:the )?{wday} before last`, read: weekdayBeforeLast,
		example: "the Friday before last", counterexample: "the Friday before"},
	{starts: "# the a an one two three four five six seven eight nine ten couple",
		pattern: `(?:the|{en}) {unit} (before|after)`, read: shiftBefore, example: "three days before yesterday",
		counterexample: "three days ago"},
	{starts: "a several some", pattern: `(?:a few|several|some) (day|night|week|month)s (?:ago|back|earlier)`,
		read: severalAgo, example: "a few days ago", counterexample: "a few hours ago"},
	{starts: "the past",
		pattern: `(?:the )?past (day|week|fortnight|month|year)|the last (day|week|fortnight|month|year)`,
		after:   ` of\b`, read: theLast, example: "in the last week", counterexample: "last week"},
	{starts: "the these last past", pattern: `(?:the |these )?(?:last|past) (?:{en} {unit}|few (?:days|nights))`,
		read: last, example: "in the last 7 days", counterexample: "the last few weeks"},
	{starts: "last this next", pattern: `((?:last )?last|this|next) week`, after: `-`, read: weekOf,
		example: "last week", counterexample: "last weekday"},
	{starts: "last this the past next", pattern: `(last|(?:this |the )?past|this|next) weekend`, read: weekendOf,
		example: "last weekend", counterexample: "last weekends"},
	{starts: "last this next", pattern: `(last|this|next) month`, read: monthOf, example: "last month",
		counterexample: "last months"},
	{starts: "last this next", pattern: `(last|this|next) year`, read: yearOf, example: "last year",
		counterexample: "last years"},
	{starts: "last this past", pattern: `(?:last|(?:this )?past) {wdy}`, read: lastWeekday, example: "last Monday",
		counterexample: "last sunrise"},
	{starts: "this next coming", pattern: `(this|(?:this )?coming|next) {wdy}`, read: weekOf, example: "this Monday",
		counterexample: "this sunny day"},
	{starts: "last this next", pattern: `(last|this|next) {mon}`, after: ` [0-9]`, read: monthOfYear,
		example: "last March", counterexample: "last marches"},
	{starts: "last past this next", pattern: `(last|(?:this )?past|this|next) {season}`, after: notSeason,
		read: seasonNow, example: "last summer", counterexample: "last fallback"},
	{starts: "the spring summer autumn fall winter",
		pattern: `(?:the )?{season}(?: of|,)? (?:([12][0-9]{3})|(last|this) year)`, read: seasonOf,
		example: "the summer of 2025", counterexample: "the summer of love"},
	{starts: "every each", pattern: `(?:every|each) (?:{wday}|day)`, read: noDate, example: "every Monday",
		counterexample: "every Mondays"},
	{starts: "on " + weekdayNames + " mon tue wed thu fri sat sun",
		pattern: `(?:on )?(?:{wday}(?:,? the |,? )|{wdy},? the ){nth}()`, after: noDayAfter, mayFollow: namesWeekday,
		read: weekdayAndDay, example: "Friday the 13th", counterexample: "Friday the 13th floor"},
	{starts: "on " + weekdayNames, pattern: `(?:on )?{wday}(),? the (){ord}`, after: noDayAfter,
		mayFollow: namesWeekday, read: weekdayAndDay, example: "Friday the thirteenth",
		counterexample: "Friday the first thing"},
	{starts: "on", pattern: `on {wdy}`, read: aWeekday, example: "on Monday", counterexample: "on the sun"},
	{starts: weekdayNames, pattern: `{wday}`, after: afterNickname, mayFollow: namesWeekday, read: aWeekday,
		example: "what we said Monday night", counterexample: "I hate Mondays"},
	{starts: "over_the on_the at_the", pattern: `(?:over|on|at) the (weekend)`, read: aWeekday,
		example: "what we did over the weekend", counterexample: "on the weekends"},

	{starts: "# a an half couple one two three four five six seven eight nine ten eleven twelve fourteen fifteen twenty thirty",
		pattern: `{en} {unit} (?:ago|back|earlier)`, read: unitsAway(-1), example: "a week ago",
		counterexample: "an hour ago"},
	{starts: "in", pattern: `in {en} {unit}`, read: unitsAway(1), example: "in 3 days", counterexample: "in 3 hours"},

	{starts: monthNames, pattern: `{mon} {d},? ([12][0-9]{3})`, read: monthDayYear, example: "Jan 15 2024",
		counterexample: "Jan 15"},
	{starts: monthNames, pattern: `{mon} {d}{to}(?:the )?{d}`, after: amount, read: dayRange, example: "Nov 1-5",
		counterexample: "Nov 1-5 pm"},
	{starts: monthNames, pattern: `{mon} {d}`, after: amount, read: monthDay, example: "March 5th",
		counterexample: "march 5 miles"},
	{starts: monthNames, pattern: `{mon}(?: of|,)? ([12][0-9]{3})`, read: monthYear, example: "March 2024",
		counterexample: "march of time"},
	{starts: "from between", pattern: `(?:from|between) {mon} (?:to|until|till|through|and) {mon}`, after: ` [0-9]`,
		read: monthRange, example: "from March to May", counterexample: "from March 3 to May 5"},
	{starts: "in during since throughout", pattern: `(?:in|during|since|throughout) (?:the month of )?{mon}`,
		after: noMonth, read: monthAlone, example: "in March", counterexample: "the march in town"},
	{starts: "of from for over through by until all",
		pattern: `(?:of|from|for|over|through|until|all(?: of)?) (?:the month of )?` +
			`(january|february|july|september|october|november|december)`, after: ` (?:of )?[0-9]`, read: monthAlone,
		example: "my diary of February", counterexample: "a letter from April"},
	{starts: "diary diaries journal notes entries summary summaries record records history",
		pattern: `(?:diary|diaries|journal|notes|entries|summary|summaries|records?|history) (?:of|from|for) {mon}`,
		after:   noMonth, read: monthAlone, example: "my notes from April", counterexample: "a letter from April"},
	{starts: monthNames, pattern: `{mon}`, after: noMonth, read: onlyInContext(monthAlone), example: "March and April",
		counterexample: "may be"},
	{starts: strings.Join(ordinals, " "), pattern: `{ord} of {mon}(?:,? ([12][0-9]{3}))?`, read: ordinalOfMonth,
		example: "the sixth of April", counterexample: "the sixth of us"},
	{starts: monthNames, pattern: `{mon} (?:the )?{ord}(?:,? ([12][0-9]{3}))?`, after: nth, read: monthOrdinal,
		example: "April the sixth", counterexample: "April and the sixth"},
	{starts: monthNames, pattern: `{mon} the {nth}(?:,? ([12][0-9]{3}))?`, read: monthOrdinal, example: "April the 6th",
		counterexample: "April the 6"},
	{starts: "#", pattern: `{d}(?: of)? {mon},? ([12][0-9]{3})`, read: dayMonthYear, example: "5 March 2024",
		counterexample: "5 March"},
	{starts: "#", pattern: `{d}(?: of)? {mon}`, read: dayMonth, example: "the 5th of March",
		counterexample: "5 marches"},
	{starts: "between", pattern: `between (?:the )?{d} and (?:the )?{d}(?: of)? {mon}`, read: nthRange,
		example: "between 3 and 7 November", counterexample: "between 3 and 7"},
	{starts: "#", pattern: `{d}{to}(?:the )?{d}(?: of)? {mon}`, read: nthRange, example: "3-7 November",
		counterexample: "3-7"},
	{starts: "from between",
		pattern: `(?:from|between)(?: the)? {nth} (?:to|and|until|till|through)(?: the)? {nth}(?: of {mon})?`,
		read:    nthRange, example: "between the 3rd and the 7th", counterexample: "between 3 and 7"},
	{starts: "the on # " + strings.Join(ordinals, " "),
		pattern: `(?:on )?(?:the )?(?:{nth}|{ord}) (?:of )?(last|this) month`, read: nthOfMonth,
		example: "on the 3rd of last month", counterexample: "on the 3rd of the month"},
	{starts: "on since from until", pattern: `(?:on|since|from|until) the {nth}`,
		after: nth + `| (?:of )?{mon}|(?:,? ?(?:and |or |& )?(?:the )?[0-9]{1,2}(?:st|nd|rd|th))+ of `, read: aDay,
		example: "on the 15th", counterexample: "on the 5th floor"},
	{starts: "# the", pattern: `(?:the )?{d}`, after: nth + "|" + amount, next: listNext, read: listedDay,
		example: "Nov 1, 3 and 5", counterexample: "3 friends"},
	{starts: "in during since", pattern: `(?:in|during|since) ((?:19|20)[0-9]{2})`, after: `-`, read: inYear,
		example: "in 2024", counterexample: "in 2024-5"},
}
