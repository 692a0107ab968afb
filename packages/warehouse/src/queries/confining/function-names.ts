/** The functions that a customer's query can call, by family, in lower case. */
export const functionNames = {
  aggregateFunctions: `
    analysisofvariance any any_respect_nulls anyheavy anylast anylast_respect_nulls approx_top_k
    approx_top_sum argandmax argandmin argmax argmin avg avgweighted boundingratio
    categoricalinformationvalue contingency corr corrmatrix corrstable count covarpop covarpopmatrix
    covarpopstable covarsamp covarsampmatrix covarsampstable cramersv cramersvbiascorrected cume_dist
    deltasum deltasumtimestamp denserank entropy exponentialmovingaverage exponentialtimedecayedavg
    exponentialtimedecayedcount exponentialtimedecayedmax exponentialtimedecayedsum grouparray
    grouparrayinsertat grouparrayintersect grouparraylast grouparraymovingavg grouparraymovingsum
    grouparraysample grouparraysorted groupbitand groupbitmap groupbitmapand groupbitmapor
    groupbitmapxor groupbitor groupbitxor groupconcat groupnumericindexedvector
    groupuniqarray histogram intervallengthsum kolmogorovsmirnovtest kurtpop kurtsamp lag laginframe
    lead leadinframe mannwhitneyutest max maxintersections maxintersectionsposition maxmappedarrays
    meanztest min minmappedarrays nonnegativederivative nth_value ntile percentrank quantile
    quantilebfloat16 quantilebfloat16weighted quantiledd quantiledeterministic quantileexact
    quantileexactexclusive quantileexacthigh quantileexactinclusive quantileexactlow
    quantileexactweighted quantileexactweightedinterpolated quantilegk quantileinterpolatedweighted
    quantileprometheushistogram quantiles quantilesbfloat16 quantilesbfloat16weighted quantilesdd
    quantilesdeterministic quantilesexact quantilesexactexclusive quantilesexacthigh
    quantilesexactinclusive quantilesexactlow quantilesexactweighted quantilesexactweightedinterpolated
    quantilesgk quantilesinterpolatedweighted quantilesprometheushistogram quantilestdigest
    quantilestdigestweighted quantilestiming quantilestimingweighted quantiletdigest
    quantiletdigestweighted quantiletiming quantiletimingweighted rank rankcorr retention row_number
    sequencecount sequencematch sequencematchevents sequencenextnode simplelinearregression
    singlevalueornull skewpop skewsamp sparkbar stddevpop stddevpopstable stddevsamp stddevsampstable
    studentttest studentttestonesample sum sumcount sumkahan summapfiltered summapfilteredwithoverflow
    summappedarrays summapwithoverflow sumwithoverflow theilsu topk topkweighted uniq uniqcombined
    uniqcombined64 uniqexact uniqhll12 uniqupto varpop varpopstable varsamp varsampstable welchttest
    windowfunnel`,
  aliases: `
    anova any_value any_value_respect_nulls anylastrespectnulls anyrespectnulls anyvaluerespectnulls
    approx_top_count array_agg array_remove array_to_string arrayauc arrayprauc bit_and bit_or bit_xor
    byteslice cardinality casewithexpr casewithoutexpr casewithoutexpression ceiling char_length
    character_length concat_ws covar_pop covar_samp curdate current_date current_timestamp date_bin
    date_diff date_format date_trunc day dayofmonth dayofweek dayofyear dense_rank distancecosine
    distancecosinetransposed distancel1 distancel2 distancel2squared distancel2transposed distancelinf
    distancelp extractallgroups first_value first_value_respect_nulls firstvaluerespectnulls flatten
    format_bytes from_base64 from_days from_unixtime from_utc_timestamp group_concat hasalltoken
    hasanytoken hour inet6_aton inet6_ntoa inet_aton inet_ntoa instr isascii json_array_length
    jsonmergepatch last_day last_value last_value_respect_nulls lastvaluerespectnulls lcase
    levenshteindistance levenshteindistanceutf8 ln localtimestamp lpad ltrim map_from_arrays mapcontains
    mapfromstring matchphrase max_by median medianbfloat16 medianbfloat16weighted mediandd
    mediandeterministic medianexact medianexacthigh medianexactlow medianexactweighted
    medianexactweightedinterpolated mediangk medianinterpolatedweighted mediantdigest
    mediantdigestweighted mediantiming mediantimingweighted microsecond mid millisecond min_by
    minsamplesizecontinous minute mismatches mod modornull month nanosecond natural_sort_key normalizel1
    normalizel2 normalizelinf normalizelp norml1 norml2 norml2squared normlinf normlp octet_length
    percent_rank pmod pmodornull positive_modulo positive_modulo_or_null power quarter rand32 readwkb
    readwkt regexp_extract regexp_instr regexp_matches regexp_replace regexp_substr regexpinstr
    removeaccentsutf8 replace rpad rtrim scalarproduct scalarproducttransposed second splitbyalpha sqid
    std stddev stddev_pop stddev_samp str_to_date str_to_map string_agg substr substring_index
    time_bucket timestamp_diff timestampdiff timezone timezoneof timezoneoffset to_base64 to_days
    to_unixtime to_utc_timestamp tostartoffiveminute totimezone trim truncate ucase unnest utc_timestamp
    var_pop var_samp vectordifference vectorsum visitparamextractbool visitparamextractfloat
    visitparamextractint visitparamextractraw visitparamextractstring visitparamextractuint
    visitparamhas week width_bucket wkb wkt yandexconsistenthash year yearweek`,
  arithmetic: `
    abs avg2 byteswap divide dividedecimal divideornull gcd ifnotfinite intdiv intdivornull intdivorzero
    isfinite isinfinite isnan lcm max2 midpoint min2 minus modulo modulolegacy moduloornull moduloorzero
    multiply multiplydecimal negate plus positivemodulo positivemoduloornull sqr`,
  arrays: `
    array arrayall arrayaucpr arrayautocorrelation arrayavg arraybottomk arraycompact arrayconcat
    arraycount arraycumsum arraycumsumnonnegative arraydifference arraydistinct arraydotproduct
    arrayelement arrayelementornull arrayenumerate arrayenumeratedense arrayenumeratedenseranked
    arrayenumerateuniq arrayenumerateuniqranked arrayexcept arrayexists arrayfill arrayfilter arrayfirst
    arrayfirstindex arrayfirstornull arrayflatten arrayfold arrayintersect arrayjaccardindex arrayjoin
    arraylast arraylastindex arraylastornull arraylevenshteindistance arraylevenshteindistanceweighted
    arraymap arraymax arraymin arraynormalizedgini arraypartialreversesort
    arraypartialsort arraypopback arraypopfront arrayproduct arraypushback arraypushfront
    arrayrandomsample arrayreduce arrayreduceinranges arrayremove arrayresize arrayreverse
    arrayreversefill arrayreversesort arrayreversesplit arrayrocauc arrayrotateleft arrayrotateright
    arrayshiftleft arrayshiftright arrayshingles arraysimilarity arrayslice arraysort
    arraysplit arraysum arraysymmetricdifference arraytopk arraytranspose arrayunion arrayuniq
    arraywithconstant arrayzip arrayzipunaligned countequal empty emptyarraydate emptyarraydatetime
    emptyarrayfloat32 emptyarrayfloat64 emptyarrayint16 emptyarrayint32 emptyarrayint64 emptyarrayint8
    emptyarraystring emptyarraytosingle emptyarrayuint16 emptyarrayuint32 emptyarrayuint64
    emptyarrayuint8 has hasall hasany hassubstr indexof indexofassumesorted length notempty
    randomhadamardtransform range replicate reverse`,
  bit: `
    bitand bitcount bithammingdistance bitnot bitor bitrotateleft bitrotateright bitshiftleft
    bitshiftright bitslice bittest bittestall bittestany bitxor`,
  bitmap: `
    bitmapand bitmapandcardinality bitmapandnot bitmapandnotcardinality bitmapbuild bitmapcardinality
    bitmapcontains bitmaphasall bitmaphasany bitmapmax bitmapmin bitmapor bitmaporcardinality
    bitmapsubsetinrange bitmapsubsetlimit bitmaptoarray bitmaptransform bitmapxor bitmapxorcardinality
    subbitmap`,
  comparison: `
    equals globalin globalinignoreset globalnotin globalnotinignoreset globalnotnullin
    globalnotnullinignoreset globalnullin globalnullinignoreset greater greaterorequals in inignoreset
    isdistinctfrom isnotdistinctfrom less lessorequals notequals notin notinignoreset notnullin
    notnullinignoreset nullin nullinignoreset`,
  conditional: `
    clamp greatest if least multiif`,
  datesAndTimes: `
    adddate adddays addhours addinterval addmicroseconds addmilliseconds addminutes addmonths
    addnanoseconds addquarters addseconds addtupleofintervals addweeks addyears age changeday changehour
    changeminute changemonth changesecond changeyear datediff datename datetrunc formatdatetime
    formatdatetimeinjodasyntax fromdayssinceyearzero fromdayssinceyearzero32 frommodifiedjulianday
    frommodifiedjuliandayornull fromunixtimestamp fromunixtimestampinjodasyntax fromutctimestamp
    localtime makedate makedate32 makedatetime makedatetime64 monthname now now64 subdate subtractdays
    subtracthours subtractinterval subtractmicroseconds subtractmilliseconds subtractminutes
    subtractmonths subtractnanoseconds subtractquarters subtractseconds subtracttupleofintervals
    subtractweeks subtractyears timediff timeslot timeslots timestamp today todayofmonth todayofweek
    todayofyear todaysinmonth todayssinceyearzero tohour toisoweek toisoyear tolastdayofmonth
    tolastdayofweek tomicrosecond tomillisecond tominute tomodifiedjulianday tomodifiedjuliandayornull
    tomonday tomonth tomonthnumsinceepoch tonanosecond toquarter torelativedaynum
    torelativeminutenum torelativemonthnum torelativequarternum torelativesecondnum torelativeweeknum
    torelativeyearnum tosecond tostartofday tostartoffifteenminutes tostartoffiveminutes tostartofhour
    tostartofinterval tostartofisoyear tostartofmicrosecond tostartofmillisecond tostartofminute
    tostartofmonth tostartofnanosecond tostartofquarter tostartofsecond tostartoftenminutes
    tostartofweek tostartofyear totimewithfixeddate tounixtimestamp toutctimestamp toweek toyear
    toyearnumsinceepoch toyearweek toyyyymm toyyyymmdd toyyyymmddhhmmss utctimestamp yesterday
    yyyymmddhhmmsstodatetime yyyymmddhhmmsstodatetime64 yyyymmddtodate yyyymmddtodate32`,
  distance: `
    cosinedistance cosinedistancetransposed cosinedistancetransposedquantized dotproducttransposed
    dotproducttransposedquantized l1distance l1norm l1normalize l2distance l2distancetransposed
    l2distancetransposedquantized l2norm l2normalize l2squareddistance l2squarednorm linfdistance
    linfnorm linfnormalize lpdistance lpnorm lpnormalize`,
  encoding: `
    bin bitmasktoarray bitmasktolist bitpositionstoarray char hex hilbertdecode hilbertencode
    mortondecode mortonencode sqiddecode sqidencode unbin unhex`,
  financial: `
    financialinternalrateofreturn financialinternalrateofreturnextended financialnetpresentvalue
    financialnetpresentvalueextended`,
  geo: `
    areacartesian areaspherical geodistance geohashdecode geohashencode geohashesinbox
    geometryintersectcartesian geometryintersectspherical geotoh3 geotomgrs geotoutm greatcircleangle
    greatcircledistance h3cellaream2 h3cellarearads2 h3distance h3edgeangle h3edgelengthkm h3edgelengthm
    h3exactedgelengthkm h3exactedgelengthm h3exactedgelengthrads h3getbasecell
    h3getdestinationindexfromunidirectionaledge h3getfaces h3getindexesfromunidirectionaledge
    h3getoriginindexfromunidirectionaledge h3getpentagonindexes h3getres0indexes h3getresolution
    h3getunidirectionaledge h3getunidirectionaledgeboundary h3getunidirectionaledgesfromhexagon
    h3hexareakm2 h3hexaream2 h3hexring h3indexesareneighbors h3ispentagon h3isresclassiii h3isvalid
    h3kring h3numhexagons h3pointdistkm h3pointdistm h3pointdistrads h3polygontocells
    h3polygontocellswithcontainment h3tocenterchild h3tochildren h3togeo h3togeoboundary h3toparent
    h3tostring h3unidirectionaledgeisvalid mgrstogeo perimetercartesian perimeterspherical
    pointinellipses pointinpolygon polygonsintersectcartesian polygonsintersectspherical stringtoh3
    utmtogeo`,
  hash: `
    cityhash64 farmfingerprint64 farmhash64 gccmurmurhash halfmd5 hivehash iceberghash inthash32
    inthash64 javahash javahashutf16le jumpconsistenthash kafkamurmurhash keccak256 kostikconsistenthash
    md4 md5 metrohash64 murmurhash2_32 murmurhash2_64 murmurhash3_128 murmurhash3_32 murmurhash3_64
    ngramminhash ngramminhasharg ngramminhashargcaseinsensitive ngramminhashargcaseinsensitiveutf8
    ngramminhashargutf8 ngramminhashcaseinsensitive ngramminhashcaseinsensitiveutf8 ngramminhashutf8
    ngramsimhash ngramsimhashcaseinsensitive ngramsimhashcaseinsensitiveutf8 ngramsimhashutf8 ripemd160
    sha1 sha224 sha256 sha384 sha512 sha512_256 siphash128 siphash128keyed siphash128reference
    siphash128referencekeyed siphash64 siphash64keyed urlhash wordshingleminhash wordshingleminhasharg
    wordshingleminhashargcaseinsensitive wordshingleminhashargcaseinsensitiveutf8
    wordshingleminhashargutf8 wordshingleminhashcaseinsensitive wordshingleminhashcaseinsensitiveutf8
    wordshingleminhashutf8 wordshinglesimhash wordshinglesimhashcaseinsensitive
    wordshinglesimhashcaseinsensitiveutf8 wordshinglesimhashutf8 wyhash64 xxh3 xxh3_128 xxhash32
    xxhash64 xxhash64spark`,
  iPAddress: `
    cutipv6 ipv4cidrtorange ipv4numtostring ipv4numtostringclassc ipv4stringtonum
    ipv4stringtonumordefault ipv4stringtonumornull ipv4toipv6 ipv6cidrtorange ipv6numtostring
    ipv6stringtonum ipv6stringtonumordefault ipv6stringtonumornull isipaddressinrange isipv4string
    isipv6string toipv4 toipv4ordefault toipv4ornull toipv4orzero toipv6 toipv6ordefault toipv6ornull
    toipv6orzero`,
  jSON: `
    dynamicelement dynamictype isvalidjson json_exists json_query json_value jsonallpaths
    jsonallpathswithtypes jsonallvalues jsonarraylength jsonextract jsonextractarrayraw
    jsonextractarrayrawcaseinsensitive jsonextractbool jsonextractboolcaseinsensitive
    jsonextractcaseinsensitive jsonextractfloat jsonextractfloatcaseinsensitive jsonextractint
    jsonextractintcaseinsensitive jsonextractkeys jsonextractkeysandvalues
    jsonextractkeysandvaluescaseinsensitive jsonextractkeysandvaluesraw
    jsonextractkeysandvaluesrawcaseinsensitive jsonextractkeyscaseinsensitive jsonextractraw
    jsonextractrawcaseinsensitive jsonextractstring jsonextractstringcaseinsensitive jsonextractuint
    jsonextractuintcaseinsensitive jsonhas jsonkey jsonlength jsontype prettyprintjson
    simplejsonextractbool simplejsonextractfloat simplejsonextractint simplejsonextractraw
    simplejsonextractstring simplejsonextractuint simplejsonhas tojsonstring`,
  language: `
    _cast casewithexpression cast exists grouping lambda`,
  logical: `
    and not or xor`,
  map: `
    extractkeyvaluepairs extractkeyvaluepairswithescaping map mapadd mapall mapapply mapconcat
    mapcontainskey mapcontainskeylike mapcontainsvalue mapcontainsvaluelike mapexists mapextractkeylike
    mapextractvaluelike mapfilter mapfromarrays mapkeys mappartialreversesort mappartialsort
    mappopulateseries mapreversesort mapsort mapsubtract mapupdate mapvalues`,
  mathematical: `
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh degrees e erf erfc exp exp10 exp2 factorial
    hypot intexp10 intexp2 isprime isprobableprime lgamma log log10 log1p log2 pi pow proportionsztest
    radians sigmoid sign sin sinh sqrt tan tanh tgamma widthbucket`,
  null: `
    assumenotnull coalesce firstnondefault ifnull isnotnull isnull isnullable iszeroornull nullif
    tonullable`,
  other: `
    bar countdigits defaultvalueoftypename formatreadabledecimalsize
    formatreadablequantity formatreadablesize formatreadabletimedelta identity ignore
    initializeaggregation isdecimaloverflow materialize minsamplesizecontinuous minsamplesizeconversion
    nested parsereadablesize parsereadablesizeornull parsereadablesizeorzero parsetimedelta throwif
    totypename transform variantelement varianttype visiblewidth`,
  randomNumber: `
    fuzzbits rand rand64 randbernoulli randbinomial randcanonical randchisquared randconstant
    randexponential randfisherf randlognormal randnegativebinomial randnormal randomfixedstring
    randomprintableascii randomstring randomstringutf8 randpoisson randstudentt randuniform`,
  rounding: `
    ceil floor round roundage roundbankers rounddown roundduration roundtoexp2 trunc`,
  string: `
    appendtrailingcharifabsent ascii base32decode base32encode base58decode base58encode base64decode
    base64encode base64urldecode base64urlencode basename bytehammingdistance casefoldutf8
    comparesubstrings concat concatassumeinjective concatwithseparator
    concatwithseparatorassumeinjective conv convertcharset crc32 crc32ieee crc64
    dameraulevenshteindistance decodehtmlcomponent decodexmlcomponent editdistance editdistanceutf8
    encodexmlcomponent endswith endswithcaseinsensitive endswithcaseinsensitiveutf8 endswithutf8
    extracttextfromhtml firstline format initcap initcaputf8 isvalidascii isvalidutf8 jarosimilarity
    jarowinklersimilarity left leftpad leftpadutf8 leftutf8 lengthutf8 lower lowerutf8 naturalsortkey
    normalizeutf8nfc normalizeutf8nfd normalizeutf8nfkc normalizeutf8nfkccasefold normalizeutf8nfkd
    regexpextract regexpposition removediacriticsutf8 repeat reverseutf8 right rightpad rightpadutf8
    rightutf8 soundex space sparsegrams sparsegramshashes sparsegramshashesutf8 sparsegramsutf8
    startswith startswithcaseinsensitive startswithcaseinsensitiveutf8 startswithutf8 stringbytesentropy
    stringbytesuniq stringjaccardindex stringjaccardindexutf8 substring substringindex
    substringindexutf8 substringutf8 tovalidutf8 trimboth trimleft trimright trybase32decode
    trybase58decode trybase64decode trybase64urldecode upper upperutf8`,
  stringReplacement: `
    overlay overlayutf8 printf regexpquotemeta replaceall replaceone replaceregexpall replaceregexpone
    translate translateutf8`,
  stringSearch: `
    countmatches countmatchescaseinsensitive countsubstrings countsubstringscaseinsensitive
    countsubstringscaseinsensitiveutf8 extract extractall extractallgroupshorizontal extractgroups
    hasalltokens hasanytokens hasphrase hassubsequence hassubsequencecaseinsensitive
    hassubsequencecaseinsensitiveutf8 hassubsequenceutf8 hastoken hastokencaseinsensitive
    hastokencaseinsensitiveornull hastokenornull highlight ilike like locate match
    multifuzzymatchallindices multifuzzymatchany multifuzzymatchanyindex multimatchallindices
    multimatchany multimatchanyindex multisearchallpositions multisearchallpositionscaseinsensitive
    multisearchallpositionscaseinsensitiveutf8 multisearchallpositionsutf8 multisearchany
    multisearchanycaseinsensitive multisearchanycaseinsensitiveutf8 multisearchanyutf8
    multisearchfirstindex multisearchfirstindexcaseinsensitive multisearchfirstindexcaseinsensitiveutf8
    multisearchfirstindexutf8 multisearchfirstposition multisearchfirstpositioncaseinsensitive
    multisearchfirstpositioncaseinsensitiveutf8 multisearchfirstpositionutf8 ngramdistance
    ngramdistancecaseinsensitive ngramdistancecaseinsensitiveutf8 ngramdistanceutf8 ngramsearch
    ngramsearchcaseinsensitive ngramsearchcaseinsensitiveutf8 ngramsearchutf8 notilike notlike position
    positioncaseinsensitive positioncaseinsensitiveutf8 positionutf8`,
  stringSplitting: `
    alphatokens arraystringconcat extractallgroupsvertical ngrams reversebyseparator splitbychar
    splitbynonalpha splitbyregexp splitbystring splitbywhitespace tokens`,
  timeWindow: `
    hop hopend hopstart tumble tumbleend tumblestart`,
  tuple: `
    dotproduct flattentuple tuple tupleconcat tupledivide tupledividebynumber tupleelement
    tuplehammingdistance tupleintdiv tupleintdivbynumber tupleintdivorzero tupleintdivorzerobynumber
    tupleminus tuplemodulo tuplemodulobynumber tuplemultiply tuplemultiplybynumber tuplenames
    tuplenegate tupleplus tuplepositivemodulobynumber tupletonamevaluepairs`,
  typeConversion: `
    accuratecast accuratecastordefault accuratecastornull date
    fromunixtimestamp64micro fromunixtimestamp64milli fromunixtimestamp64nano fromunixtimestamp64second
    parsedatetime parsedatetime32besteffort parsedatetime32besteffortornull
    parsedatetime32besteffortorzero parsedatetime64 parsedatetime64besteffort
    parsedatetime64besteffortornull parsedatetime64besteffortorzero parsedatetime64besteffortus
    parsedatetime64besteffortusornull parsedatetime64besteffortusorzero parsedatetime64injodasyntax
    parsedatetime64injodasyntaxornull parsedatetime64injodasyntaxorzero parsedatetime64ornull
    parsedatetime64orzero parsedatetimebesteffort parsedatetimebesteffortornull
    parsedatetimebesteffortorzero parsedatetimebesteffortus parsedatetimebesteffortusornull
    parsedatetimebesteffortusorzero parsedatetimeinjodasyntax parsedatetimeinjodasyntaxornull
    parsedatetimeinjodasyntaxorzero parsedatetimeornull parsedatetimeorzero reinterpret
    reinterpretasdate reinterpretasdatetime reinterpretasfixedstring reinterpretasfloat32
    reinterpretasfloat64 reinterpretasint128 reinterpretasint16 reinterpretasint256 reinterpretasint32
    reinterpretasint64 reinterpretasint8 reinterpretasstring reinterpretasuint128 reinterpretasuint16
    reinterpretasuint256 reinterpretasuint32 reinterpretasuint64 reinterpretasuint8 reinterpretasuuid
    tobfloat16 tobfloat16ornull tobfloat16orzero tobool todate todate32 todate32ordefault todate32ornull
    todate32orzero todateordefault todateornull todateorzero todatetime todatetime32 todatetime64
    todatetime64ordefault todatetime64ornull todatetime64orzero todatetimeordefault todatetimeornull
    todatetimeorzero todecimal128 todecimal128ordefault todecimal128ornull todecimal128orzero
    todecimal256 todecimal256ordefault todecimal256ornull todecimal256orzero todecimal32
    todecimal32ordefault todecimal32ornull todecimal32orzero todecimal64 todecimal64ordefault
    todecimal64ornull todecimal64orzero todecimalstring tofixedstring tofloat32 tofloat32ordefault
    tofloat32ornull tofloat32orzero tofloat64 tofloat64ordefault tofloat64ornull tofloat64orzero
    toint128 toint128ordefault toint128ornull toint128orzero toint16 toint16ordefault toint16ornull
    toint16orzero toint256 toint256ordefault toint256ornull toint256orzero toint32 toint32ordefault
    toint32ornull toint32orzero toint64 toint64ordefault toint64ornull toint64orzero toint8
    toint8ordefault toint8ornull toint8orzero tointerval tointervalday tointervalhour
    tointervalmicrosecond tointervalmillisecond tointervalminute tointervalmonth tointervalnanosecond
    tointervalquarter tointervalsecond tointervalweek tointervalyear tolowcardinality tostring
    tostringcuttozero totime totime64 totime64ornull totime64orzero totimeornull totimeorzero touint128
    touint128ordefault touint128ornull touint128orzero touint16 touint16ordefault touint16ornull
    touint16orzero touint256 touint256ordefault touint256ornull touint256orzero touint32
    touint32ordefault touint32ornull touint32orzero touint64 touint64ordefault touint64ornull
    touint64orzero touint8 touint8ordefault touint8ornull touint8orzero tounixtimestamp64micro
    tounixtimestamp64milli tounixtimestamp64nano tounixtimestamp64second touuid touuidorzero`,
  uRL: `
    cutfragment cutquerystring cutquerystringandfragment cuttofirstsignificantsubdomain
    cuttofirstsignificantsubdomaincustom cuttofirstsignificantsubdomaincustomrfc
    cuttofirstsignificantsubdomaincustomwithwww cuttofirstsignificantsubdomaincustomwithwwwrfc
    cuttofirstsignificantsubdomainrfc cuttofirstsignificantsubdomainwithwww
    cuttofirstsignificantsubdomainwithwwwrfc cuturlparameter cutwww decodeurlcomponent
    decodeurlformcomponent domain domainrfc domainwithoutwww domainwithoutwwwrfc encodeurlcomponent
    encodeurlformcomponent extracturlparameter extracturlparameternames extracturlparameters
    firstsignificantsubdomain firstsignificantsubdomaincustom firstsignificantsubdomaincustomrfc
    firstsignificantsubdomainrfc fragment netloc path pathfull port portrfc protocol querystring
    querystringandfragment topleveldomain topleveldomainrfc urlhierarchy urlpathhierarchy`,
  uUID: `
    datetime64tosnowflakeid datetimetosnowflakeid generateuuidv4
    snowflakeidtodatetime snowflakeidtodatetime64 touuidordefault touuidornull uuidnumtostring
    uuidstringtonum uuidtonum uuidv7todatetime`,
} as const;

/** Those that accept another function as their first argument. */
export const higherOrderFunctions = `
  arrayall arrayavg arraybottomk arraycompact arraycount arraycumsum arraycumsumnonnegative arraydifference
  arrayexists arrayfill arrayfilter arrayfirst arrayfirstindex arrayfirstornull arrayfold arraylast
  arraylastindex arraylastornull arraymap arraymax arraymin arraypartialreversesort arraypartialsort
  arrayproduct arrayreversefill arrayreversesort arrayreversesplit arraysort arraysplit arraysum arraytopk
  mapall mapapply mapexists mapfilter mappartialreversesort mappartialsort mapreversesort mapsort`;
