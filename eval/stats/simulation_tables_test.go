package stats_test

// tables are all promises.
var tables = []table{
	alikeTable(), familyTable(), sizeTable(), powerTable(), gateTable(), sequentialTable(),
	pairedIntervalTable(), pairedF1Table(), ratioTable(), quantileContrastTable(),
	brierTable(), aurocTable(), eceTable(), binTable(),
}
