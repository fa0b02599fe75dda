package stats_test

// tables are all simulated claims.
var tables = []table{
	alikeTable(), familyTable(), sizeTable(), powerTable(), sequentialTable(),
	pairedIntervalTable(), pairedF1Table(), ratioTable(), quantileContrastTable(),
	shareTable(), kappaTable(), exactTable(), macroTable(), classTable(), precisionTable(), meanTable(), criticTable(), quantileTable(),
	brierTable(), aurocTable(), seldomTable(), eceTable(), calibratedTable(), binTable(),
}
