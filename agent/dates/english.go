package dates

import "strings"

const (
	inPart       = "the very beginning start middle end first second last early mid late"
	weekdayNames = "monday tuesday wednesday thursday friday saturday sunday"
	monthNames   = "january february march april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec"

	// Text after a number which shows that it is not a day: the 5th floor, March 5 miles.
	nth    = ` (?:floor|time|century|grade|place|birthday|street|st|ave|avenue|page|chapter|day|try|attempt|row|anniversary|round|version|line|one|edition)\b`
	amount = ` ?(?:%|(?:miles?|km|people|times|percent|hours?|minutes?|days|weeks|pm|am|o'clock)\b)`
)

// noMonth matches text after a month which shows that it is none (may be, May's house) or that a number follows.
const noMonth = ` (?:be|have|not)\b|'s| (?:of )?[0-9]`

var english = []row{
	{on: "the_day_before_yesterday day_before_yesterday", ask: `(?:the )?day before yesterday`, read: day(-2),
		yes: "the day before yesterday", no: "the day before"},
	{on: "yesterday last_night", ask: `yesterday|last night`, read: day(-1), yes: "what did I say last night",
		no: "last nightmare"},
	{on: "the first second third fourth fifth last",
		ask: `(?:the )?(first|second|third|fourth|fifth|last) {wday} (?:of|in) ` +
			`(?:{mon}(?:,? (?:of )?([12][0-9]{3}))?|(last|this) month)`,
		read: nthWeekdayOf, yes: "the first Monday of April", no: "the first Monday"},
	{on: inPart, ask: `{part}{mon}(?:,? (?:of )?([12][0-9]{3}))?`, after: ` [0-9]`, read: partOfNamedMonth,
		yes: "the end of March", no: "the end of the march"},
	{on: inPart, ask: `{part}(?:the )?(last |this )?(month|year)`, read: partOfPeriod, yes: "early last month",
		no: "early months"},
	{on: inPart, ask: `{part}((?:19|20)[0-9]{2})`, read: partOfNumberedYear, yes: "late 2025", no: "late 2500"},

	{on: "today tonight this_morning this_afternoon this_evening earlier_today",
		ask: `(?:earlier )?today|tonight|this (?:morning|afternoon|evening)`, read: day(0),
		yes: "what did I say this morning", no: "this mornings"},
	{on: "tomorrow", ask: `tomorrow`, read: day(1), yes: "see you tomorrow", no: "tomorrows"},
	{on: "the_day_after_tomorrow day_after_tomorrow", ask: `(?:the )?day after tomorrow`, read: day(2),
		yes: "the day after tomorrow", no: "the day after"},

	{on: "last this next", ask: `(last|this|next) week(?:'s|,)?(?: on)? {wdy}`, read: weekOf, yes: "last week's Monday",
		no: "last Monday"},
	{on: "on " + weekdayNames, ask: `(?:on )?{wday}(?: of|,)? (last|this|next) week`, read: weekdayOfWeek, yes: "Monday of last week",
		no: "Monday last"},
	{on: "the week month year weekend", ask: `(?:the )?(week|month|year|weekend) before last`, after: ` {wday}`, read: beforeLast,
		yes: "the week before last", no: "the week before"},
	{on: "the " + weekdayNames, ask: `(?:the )?{wday} before last`, read: weekdayBeforeLast,
		yes: "the Friday before last", no: "the Friday before"},
	{on: "# the a an one two three four five six seven eight nine ten couple", ask: `(?:the|{en}) {unit} (before|after)`,
		read: shiftBefore, yes: "three days before yesterday", no: "three days ago"},
	{on: "a several some", ask: `(?:a few|several|some) (day|night|week|month)s (?:ago|back|earlier)`, read: severalAgo,
		yes: "a few days ago", no: "a few hours ago"},
	{on: "the past", ask: `(?:the )?past (day|week|fortnight|month|year)|the last (day|week|fortnight|month|year)`,
		after: ` of\b`, read: theLast,
		yes: "in the last week", no: "last week"},
	{on: "the these last past",
		ask: `(?:the |these )?(?:last|past) (?:{en} {unit}|few (?:days|nights))`, read: last,
		yes: "in the last 7 days", no: "the last few weeks"},
	{on: "last this next", ask: `((?:last )?last|this|next) week`, after: `-`, read: weekOf, yes: "last week",
		no: "last weekday"},
	{on: "last this the past next", ask: `(last|(?:this |the )?past|this|next) weekend`, read: weekendOf,
		yes: "last weekend", no: "last weekends"},
	{on: "last this next", ask: `(last|this|next) month`, read: monthOf, yes: "last month", no: "last months"},
	{on: "last this next", ask: `(last|this|next) year`, read: yearOf, yes: "last year", no: "last years"},
	{on: "last this past", ask: `(?:last|(?:this )?past) {wdy}`, read: lastWeekday, yes: "last Monday",
		no: "last sunrise"},
	{on: "this next coming", ask: `(this|(?:this )?coming|next) {wdy}`, read: weekOf, yes: "this Monday",
		no: "this sunny day"},
	{on: "last this next", ask: `(last|this|next) {mon}`, after: ` [0-9]`, read: monthOfYear, yes: "last March",
		no: "last marches"},
	{on: "every each", ask: `(?:every|each) (?:{wday}|day)`, read: noDate, yes: "every Monday", no: "every Mondays"},
	{on: "on", ask: `on {wdy}`, read: aWeekday, yes: "on Monday", no: "on the sun"},
	{on: weekdayNames, ask: `{wday}`, read: aWeekday, yes: "what we said Monday night", no: "I hate Mondays"},
	{on: "over_the on_the at_the", ask: `(?:over|on|at) the (weekend)`, read: aWeekday,
		yes: "what we did over the weekend", no: "on the weekends"},

	{on: "# a an half couple one two three four five six seven eight nine ten eleven twelve fourteen fifteen twenty thirty",
		ask: `{en} {unit} (?:ago|back|earlier)`, read: unitsAway(-1), yes: "a week ago",
		no: "an hour ago"},
	{on: "in", ask: `in {en} {unit}`, read: unitsAway(1), yes: "in 3 days", no: "in 3 hours"},

	{on: monthNames, ask: `{mon} {d},? ([12][0-9]{3})`, read: monthDayYear, yes: "Jan 15 2024", no: "Jan 15"},
	{on: monthNames, ask: `{mon} {d}{to}(?:the )?{d}`, after: amount, read: dayRange, yes: "Nov 1-5", no: "Nov 1-5 pm"},
	{on: monthNames, ask: `{mon} {d}`, after: amount, read: monthDay, yes: "March 5th", no: "march 5 miles"},
	{on: monthNames, ask: `{mon}(?: of|,)? ([12][0-9]{3})`, read: monthYear, yes: "March 2024", no: "march of time"},
	{on: "from between", ask: `(?:from|between) {mon} (?:to|until|till|through|and) {mon}`, after: ` [0-9]`,
		read: monthRange, yes: "from March to May", no: "from March 3 to May 5"},
	{on: "in during since throughout", ask: `(?:in|during|since|throughout) (?:the month of )?{mon}`, after: noMonth,
		read: monthAlone, yes: "in March", no: "the march in town"},
	{on: "of from for over through by until all",
		ask: `(?:of|from|for|over|through|until|all(?: of)?) (?:the month of )?` +
			`(january|february|july|september|october|november|december)`,
		after: ` (?:of )?[0-9]`, read: monthAlone, yes: "my diary of February", no: "a letter from April"},
	{on: "diary diaries journal notes entries summary summaries record records history",
		ask:   `(?:diary|diaries|journal|notes|entries|summary|summaries|records?|history) (?:of|from|for) {mon}`,
		after: noMonth, read: monthAlone, yes: "my notes from April", no: "a letter from April"},
	{on: monthNames, ask: `{mon}`, after: noMonth, read: onlyInContext(monthAlone), yes: "March and April",
		no: "may be"},
	{on: strings.Join(ordinals, " "), ask: `{ord} of {mon}(?:,? ([12][0-9]{3}))?`, read: ordinalOfMonth,
		yes: "the sixth of April",
		no:  "the sixth of us"},
	{on: monthNames, ask: `{mon} (?:the )?{ord}(?:,? ([12][0-9]{3}))?`, after: nth, read: monthOrdinal,
		yes: "April the sixth",
		no:  "April and the sixth"},
	{on: monthNames, ask: `{mon} the {nth}(?:,? ([12][0-9]{3}))?`, read: monthOrdinal, yes: "April the 6th",
		no: "April the 6"},
	{on: "#", ask: `{d}(?: of)? {mon},? ([12][0-9]{3})`, read: dayMonthYear, yes: "5 March 2024", no: "5 March"},
	{on: "#", ask: `{d}(?: of)? {mon}`, read: dayMonth, yes: "the 5th of March", no: "5 marches"},
	{on: "between", ask: `between (?:the )?{d} and (?:the )?{d}(?: of)? {mon}`, read: nthRange,
		yes: "between 3 and 7 November", no: "between 3 and 7"},
	{on: "#", ask: `{d}{to}(?:the )?{d}(?: of)? {mon}`, read: nthRange, yes: "3-7 November", no: "3-7"},
	{on: "from between", ask: `(?:from|between)(?: the)? {nth} (?:to|and|until|till|through)(?: the)? {nth}(?: of {mon})?`, read: nthRange, yes: "between the 3rd and the 7th", no: "between 3 and 7"},
	{on: "the on # " + strings.Join(ordinals, " "), ask: `(?:on )?(?:the )?(?:{nth}|{ord}) (?:of )?(last|this) month`,
		read: nthOfMonth, yes: "on the 3rd of last month", no: "on the 3rd of the month"},
	{on: "on since from until", ask: `(?:on|since|from|until) the {nth}`,
		after: nth + `| (?:of )?{mon}|(?:,? ?(?:and |or |& )?(?:the )?[0-9]{1,2}(?:st|nd|rd|th))+ of `, read: aDay,
		yes: "on the 15th", no: "on the 5th floor"},
	{on: "# the", ask: `(?:the )?{d}`, after: nth + "|" + amount, next: listNext, read: listedDay,
		yes: "Nov 1, 3 and 5", no: "3 friends"},
	{on: "in during since", ask: `(?:in|during|since) ((?:19|20)[0-9]{2})`, after: `-`, read: inYear, yes: "in 2024",
		no: "in 2024-5"},
}
