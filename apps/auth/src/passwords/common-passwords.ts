/** Passwords that attackers try first, in lower case. Variants with capitals and endings are derived from them. */
export const commonPasswords: readonly string[] = `
123456 1234567 12345678 123456789 1234567890 12345 1234 123123 123321 123123123 112233 111111 1111111 11111111
000000 00000000 121212 131313 222222 333333 444444 555555 666666 696969 777777 7777777 888888 88888888 999999
987654321 9876543210 0987654321 0123456789 01234567 123454321 102030 11223344 1122334455 147258369 159753 159357
147258 789456123 456789 654321 7654321 87654321 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx
zaq1zaq1 q1w2e3 q1w2e3r4 q1w2e3r4t5 qwe123 qwe123qwe qweqwe qweasd qweasdzxc qazwsx qazwsxedc qazxsw wsxedc
qwer1234 qwerty qwertyu qwertyui qwertyuiop qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 azerty
azertyuiop qwertz qwertzuiop asdf asdf1234 asdfasdf asdfgh asdfghj asdfghjk asdfghjkl asdasd asd123 zxcv zxcvbn zxcvbnm
zxc123 zxcvbnm123 poiuytrewq mnbvcxz lkjhgfdsa a1b2c3 a1b2c3d4 a1s2d3f4 aa123456 a123456 a12345678 a123456789
abc123 abc1234 abc12345 abcd1234 abcd123 abcdef abcdefg abcdefgh abcdefghi abcabc abc123456 aaaaaa aaaaaaaa
password passw0rd p@ssw0rd p@ssword pa55word pa55w0rd passwort passwd password1 password12 password123 password1234
password12345 password01 password! mypassword mypass newpassword oldpassword thepassword nopassword yourpassword
changeme changeme123 changeit change-me letmein letmein1 letmein123 letmeinnow welcome welcome1 welcome12 welcome123
welcome2 hello hello123 helloworld hellohello whatever trustno1 secret secret123 topsecret mysecret iamgod access
access14 login login123 logon guest guest123 default test test1 test12 test123 test1234 test12345 testtest tester
testing testing123 temp temp123 temporary temppass sample example demo demo1234 admin admin1 admin12 admin123
admin1234 admin12345 administrator root root123 rootroot toor user user123 username userpass system system32 manager
server superuser sysadmin webmaster master master123 masterkey mastermind oracle database postgres mysql sqlserver
computer internet windows windows10 microsoft google google123 facebook twitter youtube linkedin instagram samsung
samsung1 android iphone ipad apple apple123 macbook linux ubuntu cisco nokia motorola toshiba
iloveyou iloveyou1 iloveyou2 iloveu ilovegod iloveme ilovejesus loveyou loveme lovely love123 lover lovelove lovers
forever foreverlove sweetheart sweety honey honeybee darling baby babygirl babyboy babyblue princess princess1
prince queen angel angel1 angels beautiful pretty sexy sexygirl hottie cutie sunshine sunshine1 sunflower rainbow
butterfly flower flowers rose heaven jesus jesus1 jesuschrist godisgood blessed blessing faith bible christ christian
monkey monkey1 dragon dragon1 dragonball tigger tiger tigers lion eagle eagles falcon falcons bear bears wolf wolves
shark dolphin dolphins panther panthers penguin turtle rabbit bunny puppy kitty kitten hellokitty doggie buster bandit
shadow shadow1 phoenix raven spider spiderman butthead chicken horses horse mustang ferrari porsche corvette mercedes
toyota honda yamaha suzuki ducati harley harleydavidson jaguar subaru nissan camaro chevy chevrolet audi bmw
football football1 baseball baseball1 basketball soccer soccer1 hockey tennis golf golfer rugby cricket lakers
yankees redsox cowboys steelers packers broncos patriots raiders chelsea arsenal liverpool liverpool1 barcelona
realmadrid juventus manchester manutd celtic rangers ronaldo messi maradona jordan jordan23 kobe24 lebron
superman superman1 batman batman1 ironman captain avengers wolverine deadpool joker gandalf hobbit frodo
starwars starwars1 jedi skywalker darthvader startrek enterprise matrix neo trinity pokemon pokemon1 pikachu charizard
naruto naruto1 sasuke sakura goku vegeta onepiece bleach doraemon digimon zelda mario luigi sonic kirby metroid
minecraft minecraft1 roblox roblox123 fortnite fortnite1 leagueoflegends warcraft worldofwarcraft starcraft diablo
overwatch counterstrike halflife halo halo3 callofduty battlefield doom quake skyrim fallout witcher portal tetris
nintendo playstation playstation4 xbox xbox360 steam gamer gamer123 gaming player player1 player123 game games
gameover killer killer1 hunter hunter1 hunter2 ninja ninja123 samurai warrior warriors knight soldier sniper assassin
assassins ranger wizard merlin viking spartan spartans gladiator pirate pirates legend legends legendary champion
winner victory freedom liberty america american usa123 canada mexico brasil brazil france london paris newyork chicago
boston dallas texas california florida hawaii australia england scotland ireland germany deutschland berlin india
pakistan bangladesh philippines indonesia malaysia singapore thailand vietnam china russia moscow ukraine turkey istanbul
galatasaray fenerbahce besiktas nigeria africa
michael michael1 michelle jennifer jessica jessica1 ashley ashley1 amanda nicole nicole1 daniel daniel1 david andrew
andrea anthony joshua joshua1 justin justin1 matthew robert robert1 thomas charlie charlie1 charles william george
james john jonathan jordan1 joseph kevin brandon christopher chris christian1 alexander alexandra alex alexis samantha
samuel sandra patrick patricia peter paul pepper maggie ginger bailey lauren hannah hannah1 heather melissa elizabeth
victoria vanessa natasha tatiana olivia sophie sophia isabella gabriel gabriela fernando carlos alejandro eduardo
antonio roberto ricardo francisco santiago sebastian valentina camila mariana daniela carolina estrella bonita
teamo tequiero tequieromucho mivida amor amorcito corazon contrasena contraseña hola hola123 holahola bonjour
motdepasse soleil chouchou doudou loulou nicolas camille hallo hallo123 passwort1 schatz geheim sommer frankfurt
wachtwoord welkom welkom01 senha senha123 flamengo palmeiras parola ciao ciaociao juventus1 napoli hejsan
lozinka haslo haslo123 polska kochanie misiek heslo heslo123 jelszo salasana parool passord sifre
summer summer1 summer123 summer2024 summer2025 summer2026 winter winter1 winter123 winter2024 winter2025 winter2026
spring spring2025 spring2026 autumn autumn2025 autumn2026 january february march april august september october
november december monday tuesday friday sunday birthday christmas holiday halloween
chocolate cookie cookies cheese banana bananas orange cherry strawberry peanut pumpkin coffee cocacola pepsi
mountaindew whiskey vodka tequila budweiser corona marlboro pizza hotdog hamburger
blue blue123 bluesky purple yellow green black silver golden diamond crystal ruby
music guitar drummer metallica slipknot nirvana eminem rockstar rockyou ladygaga britney beatles elvis blink182
linkinpark greenday acdc ironmaiden blessed1 creative creator student school college university teacher doctor nurse
lawyer police security soldier1 business company office work london1 family familia mother mommy mom123 daddy father
brother sister sisters friends friend bestfriend friendship grandma mylove mybaby mygirl myself nobody nothing
anything something everything somebody unknown private public personal account temp1234 pass pass1 pass12 pass123
pass1234 pass12345 password2 password3 password7 password9 password99 123abc 123qwe 123qweasd 123456a 123456q 123456abc
12345a 12345q 1234qwer 12qwaszx 1password 1234abcd 123456789a 1a2b3c 1a2b3c4d 1234567a 1234rewq 4rfv5tgb
!qaz2wsx !@#$%^&* !@#$%^ qwerty!@# 1qaz@wsx zaq!2wsx p@$$w0rd p4ssw0rd pa$$word pa$$w0rd adm1n r00t l3tm3in
correcthorsebatterystaple thisisapassword ihatepasswords idontknow iforgot iforgotit forgetit dontknow whoami
asshole bitch fuckyou fuckyou1 fuckyou2 fuckoff fuckme fucker bullshit pussy blowjob biteme suckit dickhead bastard
qwertyqwerty 0000000000 1111111111 2222222222 12341234 43214321 12121212 10203040 11112222 12344321 19841984
20202020 20242024 20252025 20262026 99999999 77777777 66666666 55555555 hunter12 sandwich electric trouble
thunder thunder1 lightning midnight moonlight starlight stargate galaxy universe infinity destiny destiny2
`
  .trim()
  .split(/\s+/);
