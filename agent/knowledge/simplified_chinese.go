package knowledge

import "strings"

// traditional lists the traditional characters in style names, each with its simplified form.
const traditional = "與与 義义 樂乐 喬乔 鄉乡 書书 亞亚 產产 傳传 倫伦 體体 俠侠 偵侦 兒儿 蘭兰 興兴 寫写 創创 劇剧 辦办 動动 單单 衛卫 壓压 " +
	"雙双 後后 員员 噴喷 園园 國国 圖图 場场 壞坏 塊块 夢梦 復复 複复 學学 實实 宮宫 對对 尋寻 爾尔 層层 龐庞 廢废 錄录 懷怀 " +
	"態态 總总 戲戏 戰战 紮扎 掃扫 報报 攝摄 數数 齋斋 無无 舊旧 時时 曠旷 術术 殺杀 雜杂 條条 來来 楊杨 極极 構构 歐欧 畢毕 " +
	"氈毡 氣气 漢汉 潑泼 淚泪 測测 塗涂 溫温 遊游 燈灯 點点 貓猫 瑪玛 環环 現现 畫画 瘋疯 蓋盖 碼码 積积 簡简 筆笔 係系 紅红 " +
	"約约 級级 紀纪 納纳 縱纵 紙纸 紋纹 線线 織织 絨绒 繪绘 絕绝 繡绣 維维 綠绿 編编 緣缘 縮缩 網网 聯联 膠胶 臉脸 臘腊 艷艳 " +
	"豔艳 藝艺 蘇苏 藍蓝 蝕蚀 蠟蜡 裝装 觀观 視视 計计 記记 設设 誠诚 話话 詫诧 說说 譜谱 賬账 質质 貼贴 賽赛 車车 軌轨 軸轴 " +
	"輕轻 邊边 達达 運运 連连 鑒鉴 鑑鉴 針针 鋼钢 鉤钩 鉛铅 銅铜 銀银 鏡镜 鐳镭 鑲镶 長长 門门 間间 閾阈 陽阳 隨随 靜静 韋韦 " +
	"韓韩 顏颜 風风 飛飞 飾饰 飯饭 馬马 驢驴 駿骏 魯鲁 鳥鸟 鴉鸦 麥麦 黃黄 龍龙 啟启 塵尘 鐵铁 賓宾"

var simplifier = strings.NewReplacer(simplifications()...)

func simplifications() (pairs []string) {
	for pair := range strings.FieldsSeq(traditional) {
		pairs = append(pairs, pair[:len("畫")], pair[len("畫"):])
	}
	return pairs
}

// ToSimplifiedChinese converts traditional Chinese characters to simplified ones, if they occur in
// names of styles. The length in bytes does not change.
func ToSimplifiedChinese(text string) string { return simplifier.Replace(text) }
