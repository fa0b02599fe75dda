package intent

var englishWords = []entry{
	{enDraw, `draw paint sketch doodle`},
	{enMake, `generate create make produce render design illustrate`},
	{picture, `picture pictures pic pics image images photo photos photograph photographs illustration illustrations logo logos
		poster posters wallpaper wallpapers drawing drawings painting paintings sketch sketches portrait portraits artwork artworks
		icon icons avatar avatars cartoon cartoons banner meme memes sticker stickers watercolor mural
		digital_art pixel_art concept_art line_art line_drawing wall_art fan_art app_icon app_icons app_logo website_logo
		website_banner book_cover album_cover class_photo`},
	{enStop, `of with which that who to for from in on at by into onto about against between because when while if so sure use
		function script program class api application website webpage page site html css list table poem report
		plan budget schedule presentation database directory docker iso disk system boot vm user users button
		backup mirror copy decision sense reservation appointment call up out off near upon closer back over
		code story essay password dataset going gonna do does did there where not until till will model classifier component gallery folder upload file app is are was`},
	{plain, `make_sure make_up paint_the_town mental_picture big_picture bigger_picture full_picture clear_picture`},
	{enVague, `conclusion conclusions attention inference inferences comparison comparisons parallel parallels distinction
		distinctions line lines blank blanks breath lot lots salary curtain curtains card cards inspiration strength blood bath sword
		gun weapon criticism ire lesson lessons analogy analogies boundary boundaries straw straws pension wages contract
		support interest chart charts diagram diagrams graph graphs flowchart flowcharts plot timeline decision_tree binary_tree
		mind_map uml circuit wall walls ceiling fence nails level`},
	{enArticle, `a an the this these my your his her our their some another one two three four five several few`},
	{enMe, `me us`},

	// Before the verb.
	{opener | lead, `please kindly can_you could_you would_you will_you can_u i_want_you_to i'd_like_you_to i_would_like_you_to
		i_need_you_to i_need_to we_need_to use_ai_to let's lets go_ahead_and help_me how_about_you don't_forget_to can_i_get can_i_have i_want i_need i'd_like
		i_would_like i_want_to i'd_like_to i'd_like_to_know i_want_to_know i_would_love_to_know want_you_to`},
	{opener, `and then also just ok okay hey yo hi hello well now so`},
	{can, `can't_you couldn't_you`},
	{refuse, `don't do_not dont never cannot can't can_not couldn't won't unable_to`},
	{howTo, `how why when who where did does do_you learn teach whether tutorial`},
	{what | howTo | enAsk, `what what's whats which`},
	{intro | small, `you but because cos cuz guys mate siri alexa tell_me you_tell_me give_me show_me do_you_know do_you_happen_to_know any_idea
		do_you_have let_me_know what_is_the what's_the whats_the what_was what's whats trouble_you_for sorry excuse_me`},
	{person, `i i'm i've i'd i'll we he she they it's`},

	// Search.
	{enSeek, `search search_for search_up look_up look_it_up look_online search_online google google_it google_for browse_the_web`},
	{plain, `ok_google okay_google hey_google search_engine search_engines search_algorithm search_algorithms search_tree search_trees search_bar search_box
		search_function search_results search_result search_history search_query search_queries search_term search_terms search_index
		search_party search_warrant search_space search_is search_was search_and_rescue
		google_maps google_map google_docs google_doc google_sheets google_drive google_play google_cloud google_translate google_chrome
		google_analytics google_ads google_scholar google_colab google_form google_forms google_account google_pixel google_is google_was
		google_has google.com look_up_to good_news bad_news no_news great_news fake_news news_to_me under_the_weather weather_the_storm
		at_the_latest my_latest our_latest his_latest her_latest latest_commit latest_tag`},
	{enTopic | sure, `latest breaking_news`},
	{enTopic, `news weather headlines weather_forecast forecast stock_price stock_prices exchange_rate exchange_rates`},
	{enAsk, `what_is_the what's_the whats_the tell_me give_me show_me do_you_know let_me_know is are will how how's hows show tell give get find check any does read`},
	{day, `today tonight tomorrow yesterday today's todays tomorrow's yesterday's`},
	{day | today | ask, `is_today`},
	{today, `today today's todays`},
	{now, `now right_now currently current at_the_moment at_this_moment presently rn`},
	{tail, `rn right_now`},

	// Time.
	{clock | sure | tail, `what_time_is_it what_time_it_is what_time_do_you_make_it time_please the_time_please`},
	{clock | sure, `what's_the_time whats_the_time what_is_the_time what_the_time_is have_you_got_the_time do_you_have_the_time got_the_time
		tell_me_the_time give_me_the_time know_the_time current_time present_time exact_time local_time`},
	{clock, `time the_time`},
	{plain, `the_time_is_now it_is_time it's_time time_is`},
	{date | sure | tail, `what_date_is_it what_date_it_is what_year_is_it what_year_it_is what_year_are_we_in what_month_is_it what_month_it_is
		what_month_are_we_in what_day_of_the_month_is_it`},
	{date | sure, `what's_the_date whats_the_date what_is_the_date what_the_date_is what_is_today what's_today current_year current_month`},
	{date, `date the_date`},
	{weekday | sure | tail, `what_day_is_it what_day_it_is what_day_of_the_week_is_it which_day_is_it what_day_is_today what_day_today_is`},
	{weekday, `day_of_the_week what_day_is_tomorrow what_day_was_yesterday weekday what's_the_day whats_the_day what_is_the_day`},
	{dayName, `monday tuesday wednesday thursday friday saturday sunday weekend`},
	{now | ask, `is_it`},
	{stamp, `timestamp time_stamp unix_time unix_timestamp epoch_time epoch_timestamp unix_epoch`},
	{zone, `timezone time_zone the_time_zone current_time_zone local_time_zone what_is_the_time_zone what's_the_time_zone
		whats_the_time_zone what_time_zone_is_it what_timezone_is_it what_time_zone_is_this`},
	{person | glue | small, `my`},
	{glue | small, `the exact precise your full system here local and`},
	{tail | small, `in_iso in_seconds in_milliseconds in_ms in_words in_full please pls plz thanks thank_you exactly again`},
	{now | small, `am_i_in are_we_in i_am_in we_are_in i'm_in we're_in`},
	{small, `is it me tell know do_you right just google give show check this i need can get have for_me of ok okay hey hi hello
		according_to_you our am_i`},
	{place, `in at if`},
}
