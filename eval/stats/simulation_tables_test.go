package stats_test

// tables are all promises.
var tables = []table{
	alikeTable(), familyTable(), sizeTable(), powerTable(), gateTable(), sequentialTable(),
	pairedIntervalTable(), pairedF1Table(), ratioTable(), quantileContrastTable(),
	shareTable(), exactTable(), allTable(), macroTable(), classTable(), precisionTable(), meanTable(), criticTable(), quantileTable(),
	brierTable(), aurocTable(), eceTable(), binTable(),
}
