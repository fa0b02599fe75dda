package intent

// drawing is what 画 is by itself; verb in scan.go settles verb or noun.
const drawing = strokes | hua | draws | drawn

var imageWords = []entry{
	{recall, `记得 想起 我想起 回忆 回想 记不记得`},
	{earlier, `之前 上次 以前 上一次 上回`},
	{unable, `不能 不会 无法`},
	{can, `能不能 可不可以 可以 能 能够 能否 可否 可不可`},
	{with, `会不会 会 用 以 给 为 让 把 将 帮 替 照着 按照 根据`},

	// The verb.
	{drawing | picture, `画`},
	{drawing, `画一下 画一画 画出 画成 画^好看 画^饼干 画^风景 画^外星 画^中国 画^上海 画^像素 画^面包 画^面条 画^报纸 画^中秋`},
	{strokes | draws | drawn, `绘 绘制 绘出`},
	{strokes | drawn, `描绘 手绘`},
	{hua | drawn, `画画 画图 画得 画出来`},
	{hua | drawn | chart, `画饼图 画饼状图`},
	{drawn, `画了 画过 画的 画完 画好 画着 画到 画在 画不 画没 画错 画什么 画啥 画谁 爱画
		绘了 绘过 绘的 绘图 绘制了 绘制过 绘制的 作画`},
	{drawn | picture, `绘画`},
	{generate | generates, `生成 生成出`},
	{generates, `生成的 生成了 生成过 生成完 生成好 生成出来 生成出的 生成不 生成中 生成失败 生成成功
		生成速度 生成结果 生成效果 生成质量 生成时间 生成方式 生成过程 生成原理 生成能力 生成功能
		生成错误 生成太慢 生成很慢 生成很快 生成得`},
	{crafts, `制作 创作`},

	// 画 and 生成 within other words, and idioms.
	{plain, `画家 画展 画廊 画册 画师 画室 画笔 画布 画板 画质 画风 画法 画技 画工 画坛 画派 画院 画框
		画稿 画纸 画报 画皮 画具 画架 画材 画本 画片 画集 画轴 画屏 画外音 画眉 画舫 画中 画里 画上 画外
		画蛇添足 画龙点睛 画地为牢 画饼 画大饼 画饼充饥 画虎 画押 画符 画十字 画重点 画等号 画句号 画红线
		画妆 画淡妆 画浓妆 画眼线 画个不停 刻画 比画 书画 字画 绘本 绘声绘色 企画 计画 规画 策画
		制作的 制作了 制作过 制作人 制作方 制作组 创作的 创作了 创作过 创作者
		生成式 生成对抗 生成器 生成树 生成函数 生成元 生成模型 生成物 生成率 生成热
		个小时 个月 个星期 个礼拜 个钟 个人所得 回忆录 不会吧
		可能 不可能 功能 智能 人工智能 性能 能力 能量 能源 万能 技能 节能 潜能 只能 才能 职能 太阳能 新能源
		机会 社会 开会 会议 大会 协会 约会 聚会 晚会 会员 会计 体会 误会 一会儿 以及 以来 以后 以为 以上 因为 认为 作为 行为 为了 将来 将要`},
	{measure, `个月亮`},
	{with | drawing, `用水彩画 用水墨画 用铅笔画 用彩铅画 用蜡笔画 用钢笔画 用毛笔画 用粉笔画`},

	// Pictures.
	{picture, `图 图片 图像 图画 图案 图标 插图 配图 草图 原图 截图 头图 效果图 封面图 背景图 宣传图 高清图 示例图
		画面 画像 自画像 画作 画卷 油画 国画 漫画 插画 版画 壁画 年画 名画 原画 挂画 沙画 水墨画 水彩画 简笔画 风景画 山水画
		人物画 肖像画 像素画 装饰画 抽象画 工笔画 儿童画 卡通画 铅笔画 蜡笔画 素描 线稿 涂鸦
		头像 肖像 人像 塑像 雕像 影像 照片 相片 艺术照 证件照 写真 海报 壁纸 封面 表情包 贴纸 明信片 贺卡 徽标 logo`},
	{chart, `图表 饼图 饼状图 柱状图 柱形图 条形图 折线图 曲线图 散点图 直方图 雷达图 热力图 箱线图 树状图 漏斗图
		流程图 架构图 时序图 序列图 类图 用例图 状态图 活动图 泳道图 er图 e_r图 uml 甘特图 拓扑图 结构图 关系图 鱼骨图
		组织架构图 组织结构图 思维导图 脑图 导图 原理图 电路图 框图 示意图 平面图 三视图 剖面图 线框图 原型图 网络图 k线图
		趋势图 走势图 分布图 统计图 数据图 对比图 韦恩图 知识图谱 时间轴 时间线 坐标系 坐标轴 数轴 曲线 抛物线 辅助线 函数图像
		决策树 二叉树 受力分析 表格 图纸 mermaid`},
	{plain, `图书 图书馆 图灵 图谱 图层 图文 图解 图论 图数据库 图神经网络 图形界面 图形学 图腾 试图 企图 意图 力图 视图 贪图 幅度 大幅 篇幅 组织`},
	{measure | sheet, `张 副`},
	{measure | sheet | picture, `幅`},
	{measure, `只 个 条 朵 棵 座 匹 头 位 名 件 群 片 套 组 辆 艘 架 栋 幢 间 双 对 款 枚 颗 份 些 种 株 根 尊 扇 把 面 轮 道
		束 团 堆 排 粒 滴 块 瓶 杯 碗 盘 盏 顶 枝 支 本 页 格 部 台 一点`},
	{number, `0 1 2 3 4 5 6 7 8 9 零 一 二 两 三 四 五 六 七 八 九 十 百 千 万 几 多 数 半`},
	{plain, `只有 只是 只要 面对 面向 条件 位置 名字 名称 组合 片段 根本 部分 对于 对称 对数 对话 份额 本来 本月 一直 一起 一样 一定 数学 多少 把握`},
}

// madeOfText is what groups 5 and 6 leave alone: texts, data, sound and film.
var madeOfText = []entry{
	{text, `代码 程序 程式 程式码 脚本 函数 算法 接口 正则 正则表达式 用例 注释 变量 表单 配置 模板 组件 模型 网页 网站 页面 sql json xml yaml html css csv api
		文本 文字 文章 文案 文档 文稿 文件 报告 纪要 摘要 列表 清单 目录 大纲 提纲 标题 标签 段落 句子 词语 内容 信息 总结 概要
		小说 故事 诗 诗歌 诗词 古诗 作文 散文 论文 剧本 台词 歌词 对联 笔记 日记 评论 邮件 信件 简历 演讲稿 新闻稿 发言稿 稿子 讲稿
		方案 计划 计划书 策略 建议 步骤 教程 教案 说明 说明书 介绍 描述 提示词 口号 广告词 广告语 周报 日报 月报 年报 合同 协议 条款
		题目 试题 试卷 练习题 问题 答案 回复 对白 翻译 名字 昵称 用户名 菜谱 食谱 行程 攻略 课件 ppt word excel pdf markdown prompt 表格
		数据 数据集 数据库 时间戳 密码 随机数 随机 数字 数列 数组 序列 序列号 编号 订单 订单号 二维码 条形码 验证码 激活码 邀请码 哈希 密钥 公钥 私钥
		令牌 链接 短链接 网址 日志 签名 证书 矩阵 向量 统计 账号 账单 发票 uuid guid token url id
		音频 音乐 歌曲 歌 曲子 乐谱 旋律 铃声 语音 声音 配音 音效 mp3
		视频 短视频 影片 电影 短片 动画 动画片 mp4 ppt`},
	{text, `text code essay story password processing classifier classification caption captions captioning gallery viewer
		editor uploader upload album file files format tag urls link description descriptions search recognition dataset generator
		model loader component slider carousel prompts path folder size library app frame`},
}

// beforeVerbs is what stands before the verb of a request, or undoes it.
var beforeVerbs = []entry{
	{opener | lead, `请 给我 帮我 来 替我 为我 请你 请您 给我们 帮我们 帮忙`},
	{opener, `你 您 麻烦 麻烦你 劳烦 拜托 求 我想 我要 我想要 我需要 我想让你 我要你 我想请你 想 想要 要 需要 希望你 让你 再 也 还 先 就 直接 快 快点 赶紧
		立刻 立即 马上 现在 那 那么 好 好的 好吧 嗯 哈喽 你好 您好 嘿 嗨 去 一键 重新 继续 随便 另外 要不要 用ai 自动 帮`},
	{refuse, `不要 别 不用 不想 不必 请勿 勿 甭 禁止 不许 不需要`},
	{plain, `特别 区别 级别 分别 个别 识别 别人 类别 性别 别墅 别的 告别 离别 辨别 差别 别致 别忘了 别忘 别样 鉴别
		请求 请教 请客 请假 申请 邀请 聘请 未来 原来 后来 起来 出来 从来 近来 回来 过来 上来 下来 我来 他来 她来 一起来 来自 来源
		要求 要点 重要 主要 需求 使用 用户 用途 作用 应用 费用 学校 今年 去年 明年`},
	{howTo, `怎么 怎样 如何 为什么 为何 学习 学会 学画 学着 想学 教我 教你 教一下 喜欢 热爱 擅长 正在 经常 总是 从小 谁 怎么样才`},
	{person | small, `我 我们`},
	{person, `他 她 它 他们 她们 爸爸 妈妈 老师 画家们`},
	{tail | small, `吗 吧 呢 啊 呀 么 嘛 哦 啦 哈 一下 一下吧 好吗 可以吗 行吗 谢谢 谢谢你`},
	{of | small, `的`},
}
