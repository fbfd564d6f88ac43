// The passwords that attackers try first, of eight characters and more; shorter ones are refused by their length.
import { foldKey } from './fields.ts';

const TRIED_FIRST = `
  12345678 123456789 1234567890 0123456789 0987654321 987654321 87654321 11111111 111111111 1111111111 00000000
  000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999 12341234 123123123 12312312
  11223344 1122334455 112233445566 12344321 123454321 123321123 147258369 147852369 741852963 789456123 456789123
  963852741 159753456 159357456 13579246 135792468 24681012 246813579 1qaz2wsx 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
  q1w2e3r4 q1w2e3r4t5 1qazxsw2 zaq12wsx zaq1xsw2 zaq1zaq1 1qaz1qaz 2wsx3edc qazwsxedc qazwsx123 qweasdzxc
  qweasd123 asdfghjkl asdfghjk asdf1234 1234asdf asdfasdf zxcvbnm1 zxcvbnm123 zxcvbnmm qwertyui qwertyuiop
  qwerty12 qwerty123 qwerty1234 qwerty12345 1234qwer 123qweasd qwer1234 qwerqwer qwertyqwerty qwerty01 123qwerty
  12345qwert qwert12345 asdfqwer q2w3e4r5 azertyuiop azerty123 password password1 password12 password123
  password1234 password12345 password01 password0 password2 password11 password99 password! password1!
  password123! password@1 password@123 passw0rd passw0rd1 p@ssw0rd p@ssword p@ssw0rd1 p@ssw0rd123 p@55w0rd
  pa55word pa$$word pa$$w0rd pass1234 pass12345 passpass passwort passwords mypassword thepassword newpassword
  oldpassword yourpassword passphrase drowssap welcome1 welcome12 welcome123 welcome1! welcome01 welcome2
  welcome@1 welcome@123 letmein1 letmein12 letmein123 letmein! letmein1! changeme changeme1 changeme123 changeme!
  changeit secret12 secret123 topsecret default1 default123 temp1234 temporary test1234 test12345 testtest
  testing1 testing123 test123456 tester123 guest123 guest1234 user1234 username demo1234 sample123 example1
  admin123 admin1234 admin12345 admin123456 admin@123 adminadmin admin2024 admin2025 admin2026 administrator
  administrator1 rootroot root1234 toor1234 superuser sysadmin operator login123 loginlogin access14 access123
  master12 master123 manager1 manager123 company1 company123 business1 office123 iloveyou iloveyou1 iloveyou2
  iloveyou! iloveu123 loveyou1 lovelove loveme123 mylove123 sunshine sunshine1 princess princess1 princess123
  football football1 football123 baseball baseball1 basketball softball1 volleyball hockey123 soccer123 superman
  superman1 batman123 spiderman pokemon1 starwars starwars1 trustno1 whatever whatever1 computer computer1
  internet internet1 samsung1 samsung123 michelle jennifer jessica1 jonathan danielle victoria elizabeth charlie1
  charlie123 michael1 jordan23 liverpool liverpool1 chelsea1 arsenal1 barcelona manchester dolphins lakers24
  steelers cowboys1 yankees1 redskins mercedes porsche1 corvette mustang1 chocolate butterfly blink182 metallica
  slipknot nirvana1 eminem123 hello123 hello1234 hellohello helloworld hello12345 goodluck freedom1 shadow12
  shadow123 dragon12 dragon123 monkey12 monkey123 tigger123 buster123 killer123 hunter12 hunter123 abcd1234
  abcdefgh abcdefghi abc12345 abcd12345 abcabc123 abc123abc abc123456 a1234567 a12345678 a123456789 aa123456
  aa12345678 1a2b3c4d a1b2c3d4 a1b2c3d4e5 aaaaaaaa aaaaaaaaa zzzzzzzz xxxxxxxx qqqqqqqq spring2024 summer2024
  autumn2024 winter2024 spring2025 summer2025 autumn2025 winter2025 spring2026 summer2026 autumn2026 winter2026
  january1 february1 december1 monday123 friday123 saturday sunday123 google123 facebook facebook1 linkedin
  linkedin1 microsoft windows10 apple123 yahoo123 dropbox1 zoom1234 payroll1 payroll123 payroll2024 payroll2025
  payroll2026 taxes123 taxes2024 taxes2025 taxes2026 account1 account123 accounts1 accountant accounting
  accounting1 bookkeeper quickbooks quickbooks1 finance1 finance123 invoice1 invoice123 money123 moneymoney
  dollars1 banking1 security security1 security123 safeguard safeguards coffer12 coffer123 coffercoffer
  correcthorsebatterystaple thisisapassword iamthebest nothing1 nopassword nopass123 blahblah cookie123 cheese123
  pepper123 ginger123 bailey123 maggie123 summer123 winter123 flower123 orange123 purple123 yellow123 silver123
  golden123 diamond1 diamond123 crystal1 junior123 family123 friends1 forever1 forever21 lovers123 babygirl
  babygirl1 sweetheart beautiful gorgeous handsome1
`;

const common: ReadonlySet<string> = new Set(TRIED_FIRST.split(/\s+/).filter((word) => word !== ''));

/** The shortest text that gives `text` when it is repeated; `text` itself where there is none. */
function repeated(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}

/** True for a password on the list, in any case, and for a listed or short one repeated several times. */
export function isCommonPassword(password: string): boolean {
  const folded = foldKey(password);
  const unit = repeated(folded);
  return common.has(folded) || common.has(unit) || (unit.length < folded.length && unit.length <= 4);
}
