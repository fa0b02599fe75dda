package dates

const (
	weekdayNames = "monday tuesday wednesday thursday friday saturday sunday"
	monthNames   = "january february march april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec"

	// Text after a number which shows that it is not a day: the 5th floor, March 5 miles.
	nth    = ` (?:floor|time|century|grade|place|birthday|street|st|ave|avenue|page|chapter|day|try|attempt|row|anniversary|round|version|line|one|edition)\b`
	amount = ` ?(?:%|(?:miles?|km|people|times|percent|hours?|minutes?|days|weeks|pm|am|o'clock)\b)`
)

var english = []row{
	{on: "the_day_before_yesterday day_before_yesterday", ask: `(?:the )?day before yesterday`, read: day(-2),
		yes: "the day before yesterday", no: "the day before"},
	{on: "yesterday last_night", ask: `yesterday|last night`, read: day(-1), yes: "what did I say last night",
		no: "last nightmare"},
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
	{on: "the past", ask: `(?:the )?past (day|week|fortnight|month|year)|the last (day|week|fortnight|month|year)`, read: theLast,
		yes: "in the last week", no: "last week"},
	{on: "the these last past",
		ask: `(?:the |these )?(?:last|past) (?:{en} {unit}|few (?:days|nights))`, read: last,
		yes: "in the last 7 days", no: "the last few weeks"},
	{on: "last this next", ask: `((?:last )?last|this|next) week`, after: `-`, read: weekOf, yes: "last week",
		no: "last weekday"},
	{on: "last this next", ask: `(last|this|next) weekend`, read: weekendOf, yes: "last weekend", no: "last weekends"},
	{on: "last this next", ask: `(last|this|next) month`, read: monthOf, yes: "last month", no: "last months"},
	{on: "last this next", ask: `(last|this|next) year`, read: yearOf, yes: "last year", no: "last years"},
	{on: "last", ask: `last {wdy}`, read: lastWeekday, yes: "last Monday", no: "last sunrise"},
	{on: "this next coming", ask: `(this|(?:this )?coming|next) {wdy}`, read: weekOf, yes: "this Monday",
		no: "this sunny day"},
	{on: "last this next", ask: `(last|next) {mon}`, read: monthOfYear, yes: "last March", no: "last marches"},
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
	{on: "in during since", ask: `(?:in|during|since) (?:early |mid[- ]|late )?{mon}`, after: ` [0-9]`,
		read: monthAlone, yes: "in March", no: "the march in town"},
	{on: "#", ask: `{d}(?: of)? {mon},? ([12][0-9]{3})`, read: dayMonthYear, yes: "5 March 2024", no: "5 March"},
	{on: "#", ask: `{d}(?: of)? {mon}`, read: dayMonth, yes: "the 5th of March", no: "5 marches"},
	{on: "between", ask: `between (?:the )?{d} and (?:the )?{d}(?: of)? {mon}`, read: nthRange,
		yes: "between 3 and 7 November", no: "between 3 and 7"},
	{on: "#", ask: `{d}{to}(?:the )?{d}(?: of)? {mon}`, read: nthRange, yes: "3-7 November", no: "3-7"},
	{on: "from between", ask: `(?:from|between)(?: the)? {nth} (?:to|and|until|till|through)(?: the)? {nth}(?: of {mon})?`, read: nthRange, yes: "between the 3rd and the 7th", no: "between 3 and 7"},
	{on: "the on # first second third", ask: `(?:on )?(?:the )?(?:{nth}|(first|second|third)) (?:of )?(last|this) month`,
		read: nthOfMonth, yes: "on the 3rd of last month", no: "on the 3rd of the month"},
	{on: "on since from until", ask: `(?:on|since|from|until) the {nth}`, after: nth + `| (?:of )?{mon}`, read: aDay,
		yes: "on the 15th", no: "on the 5th floor"},
	{on: "# the", ask: `(?:the )?{d}`, after: nth + "|" + amount, next: listNext, read: listedDay,
		yes: "Nov 1, 3 and 5", no: "3 friends"},
	{on: "in during since", ask: `(?:in|during|since) ((?:19|20)[0-9]{2})`, after: `-`, read: inYear, yes: "in 2024",
		no: "in 2024-5"},
}
