"""References to laws, regulations and standards, and what only looks like one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import foureyes
import pytest
from foureyes.datatypes import RegulatoryReference
from support.commands import ROOT

# A sentence, and the normal forms of its references in order.
REFERENCES = """
DFARS 252.204-7012 applies to the contract. => dfars/252.204-7012
The clause at DFARS 252.204–7021 was added. => dfars/252.204-7021
DFARS § 204.7302(a)(1) was met. => dfars/204.7302(a)(1)
DFARS Subpart 204.73 sets the policy. => dfars/204.73
DFARS clause 252.225-7001 is required. => dfars/252.225-7001
DFARS clauses 252.204-7008 and 252.204-7012 flow down. => dfars/252.204-7008;dfars/252.204-7012
DFARS Parts 202, 204 and 252 were amended. => dfars/202;dfars/204;dfars/252
The Defense Federal Acquisition Regulation Supplement was changed. => dfars
Defense Federal Acquisition Regulation Supplement (DFARS) 252.239-7010 => dfars/252.239-7010
Suppliers must meet DFARS. => dfars
DFARS PGI 204.7303 explains it. => dfars-pgi/204.7303
FAR 52.204-21 lists 15 controls. => far/52.204-21
FAR 2.101 defines the term. => far/2.101
FAR Part 15 covers negotiation. => far/15
FAR Parts 12, 13 and 15 apply. => far/12;far/13;far/15
FAR Subpart 9.4 covers debarment. => far/9.4
FAR clause 52.222-50 forbids it. => far/52.222-50
FAR § 15.404-1(b) describes price analysis. => far/15.404-1(b)
The Federal Acquisition Regulation governs purchases. => far
Federal Acquisition Regulation (FAR) 52.219-14 limits it. => far/52.219-14
Under the FAR, agencies must compete. => far
FAR 52.212-4 and 52.212-5 are included. => far/52.212-4;far/52.212-5
14 CFR 25.1309 requires it. => cfr/14/25.1309
40 C.F.R. § 60.42b applies. => cfr/40/60.42b
45 CFR Part 164 covers privacy. => cfr/45/164
32 CFR Part 170 sets up the program. => cfr/32/170
21 CFR Part 11 covers records. => cfr/21/11
17 CFR § 240.10b-5 bars fraud. => cfr/17/240.10b-5
48 CFR Parts 202, 204 and 252 are amended. => cfr/48/202;cfr/48/204;cfr/48/252
15 CFR parts 730 through 774 hold the rules. => cfr/15/730;cfr/15/774
22 C.F.R. §§ 120-130 control exports. => cfr/22/120-130
10 CFR 50.55a(g) covers inspection. => cfr/10/50.55a(g)
Title 21 of the Code of Federal Regulations covers food. => cfr/21
29 CFR 1910.1200 is the hazard rule. => cfr/29/1910.1200
42 U.S.C. § 1983 gives a remedy. => usc/42/1983
5 U.S.C. 552 is the act on information. => usc/5/552
18 USC 1030(a)(2) punishes access. => usc/18/1030(a)(2)
access is punished by 18 usc 1030(a)(2) alone. => usc/18/1030(a)(2)
15 U.S.C. §§ 78a and 78b are cited. => usc/15/78a;usc/15/78b
Section 889 of title 10, United States Code, is cited. => usc/10/889
10 U.S. Code § 2304 was repealed. => usc/10/2304
section 3553 of title 44 requires it. => usc/44/3553
26 U.S.C. § 501(c)(3) exempts them. => usc/26/501(c)(3)
47 U.S.C. § 230 shields hosts. => usc/47/230
Public Law 116-283 funds it. => us-law/public/116/283
Pub. L. 117-58 was signed. => us-law/public/117/58
Pub. L. No. 111-148 reformed insurance. => us-law/public/111/148
P.L. 107-347 made it a duty. => us-law/public/107/347
Section 889 of Public Law 115-232 bans it. => us-law/public/115/232
Pub.L. 104–191 set rules. => us-law/public/104/191
89 Fed. Reg. 83092 holds the final rule. => fedreg/89/83092
88 FR 89058 proposed it. => fedreg/88/89058
85 Federal Register 61505 announced it. => fedreg/85/61505
86 Fed. Reg. 26,633 has the order. => fedreg/86/26,633
NIST SP 800-171 has 110 requirements. => nist-sp/800-171
NIST SP 800-53 Rev. 5 lists controls. => nist-sp/800-53
NIST Special Publication 800-37 sets steps. => nist-sp/800-37
NIST 800-53 is used widely. => nist-sp/800-53
SP 800-63B covers authenticators. => nist-sp/800-63B
NIST SP 800-171A is the guide. => nist-sp/800-171A
NIST SP 800-171r3 is current. => nist-sp/800-171
NIST SP 1800-35 shows zero trust. => nist-sp/1800-35
NIST SPs 800-53 and 800-171 differ. => nist-sp/800-53;nist-sp/800-171
NIST SP 800-53, 800-171 and 800-172 are related. => nist-sp/800-53;nist-sp/800-171;nist-sp/800-172
NISTIR 8259A lists the baseline. => nist-ir/8259A
NIST IR 8286 covers risk. => nist-ir/8286
NIST Interagency Report 7628 covers grids. => nist-ir/7628
FIPS 140-3 replaces the older one. => fips/140-3
FIPS PUB 199 sets impact levels. => fips/199
FIPS Publication 200 sets minimums. => fips/200
FIPS 197 defines the cipher. => fips/197
The NIST Cybersecurity Framework has six functions. => nist-csf
NIST CSF 2.0 added a function. => nist-csf
The NIST Framework is voluntary. => nist-csf
NIST AI RMF 1.0 is voluntary too. => nist-ai-rmf
The NIST AI Risk Management Framework helps. => nist-ai-rmf
NIST AI 100-1 is the text. => nist-ai/100-1
CMMC Level 2 needs an assessment. => cmmc
CMMC 2.0 has three levels. => cmmc
Cybersecurity Maturity Model Certification is phased in. => cmmc
CMMC 2 was announced. => cmmc
The CMMC program starts soon. => cmmc
ISO 27001 is the base. => iso/27001
ISO/IEC 27001:2022 was revised. => iso/27001
ISO 9001:2015 is held by the plant. => iso/9001
ISO/IEC 17025 covers laboratories. => iso/17025
ISO/TS 22163 covers rail. => iso/22163
ISO 26262-6:2018 covers software. => iso/26262-6
ISO/IEC 27001 and 27002 were revised. => iso/27001;iso/27002
ISO 14001, 45001 and 50001 are held. => iso/14001;iso/45001;iso/50001
IEC 62443-4-2 covers components. => iso/62443-4-2
ISO/IEC/IEEE 12207 covers life cycles. => iso/12207
IEC 61508 covers safety. => iso/61508
EN ISO 13485 covers devices. => en/13485
DIN EN 1090 covers steel. => en/1090
ITAR controls the export. => itar
ITAR § 120.17 defines it. => itar/120.17
ITAR Part 126 lists exemptions. => itar/126
The International Traffic in Arms Regulations apply. => itar
EAR 734.3 sets the scope. => ear/734.3
EAR § 740.17 allows it. => ear/740.17
EAR Part 744 covers end users. => ear/744
The Export Administration Regulations (EAR) apply. => ear
Items subject to the EAR need care. => ear
EAR99 items need none. => ear
OMB Circular A-130 sets policy. => omb/A-130
OMB Memorandum M-22-09 sets zero trust. => omb/M-22-09
OMB M-21-31 covers logging. => omb/M-21-31
OMB Bulletin 07-04 covers audits. => omb/07-04
OMB Circulars A-11 and A-123 apply. => omb/A-11;omb/A-123
Memorandum M-24-10 covers AI. => omb/M-24-10
Executive Order 14028 asks for it. => eo/14028
E.O. 13556 set up the category. => eo/13556
EO 12866 needs review. => eo/12866
Directive 2014/24/EU covers procurement. => eu/Directive/2014/24
Directive 95/46/EC was repealed. => eu/Directive/95/46
Regulation (EU) 2016/679 protects data. => eu/Regulation/2016/679
Regulation (EU) 2024/1689 covers AI. => eu/Regulation/2024/1689
Regulation (EC) No 1907/2006 covers chemicals. => eu/Regulation/1907/2006
Regulation (EU) No 910/2014 covers trust services. => eu/Regulation/910/2014
Commission Implementing Regulation (EU) 2023/203 followed. => eu/Regulation/2023/203
Directive (EU) 2022/2555 replaced it. => eu/Directive/2022/2555
Council Directive 93/42/EEC covers devices. => eu/Directive/93/42
Article 17 of Regulation (EU) 2016/679 gives a right. => eu/Regulation/2016/679/17
Directives 2014/24/EU and 2014/25/EU differ. => eu/Directive/2014/24;eu/Directive/2014/25
Decision 2010/87/EU was repealed. => eu/Decision/2010/87
The GDPR applies here. => gdpr
GDPR Article 33 sets 72 hours. => gdpr/33
Article 17 of the GDPR gives a right. => gdpr/17
Art. 6(1)(f) GDPR allows it. => gdpr/6(1)(f)
GDPR Articles 13 and 14 cover notices. => gdpr/13;gdpr/14
Articles 13 and 14 of the GDPR cover notices. => gdpr/13;gdpr/14
The General Data Protection Regulation applies. => gdpr
UK GDPR applies there. => gdpr
The CCPA applies in California. => ccpa
The California Consumer Privacy Act was amended. => ccpa
HIPAA covers health data. => hipaa
HIPAA § 164.312(a) covers access. => hipaa/164.312(a)
The Sarbanes-Oxley Act needs controls. => sox
SOX Section 404 needs a report. => sox/404
The AI Act sets tiers. => ai-act
The EU AI Act sets tiers. => ai-act
Article 5 of the AI Act bans some uses. => ai-act/5
The Digital Services Act covers platforms. => dsa
The Digital Markets Act covers gatekeepers. => dma
The NIS2 Directive widened it. => nis2
DORA applies to banks. => dora
The Cyber Resilience Act covers products. => cra
FedRAMP High is needed. => fedramp
FISMA needs a yearly review. => fisma
The Clean Air Act was amended. => caa
Section 111 of the Clean Air Act covers plants. => caa/111
The Dodd-Frank Act followed. => dodd-frank
The Freedom of Information Act gives access. => foia
Section 508 of the Rehabilitation Act covers access. => rehabilitation-act/508
The Data Protection Act 2018 applies. => uk-act/DataProtection/2018
The Inflation Reduction Act gave credits. => ira
The CHIPS and Science Act gave grants. => chips
The National Defense Authorization Act for Fiscal Year 2021 did so. => ndaa
The NDAA did so. => ndaa
PCI DSS 4.0 took over. => pci-dss
PCI-DSS v3.2.1 ran out. => pci-dss
RFC 2119 defines the words. => rfc/2119
RFC 9110 and RFC 9112 replace it. => rfc/9110;rfc/9112
RFCs 7230 through 7235 were replaced. => rfc/7230;rfc/7235
RFC-8446 defines it. => rfc/8446
IEEE 802.11ax is the radio. => ieee/802.11ax
IEEE Std 1588-2019 is the clock. => ieee/1588
DoD Instruction 5000.90 covers it. => dod/5000.90
DoDI 8510.01 covers it. => dod/8510.01
DoD Directive 3000.09 covers weapons. => dod/3000.09
SOC 2 Type II was passed. => soc/2
GAO-24-106203 was published. => gao
"""
LOOK_ALIKES = """
In London at 9 the market opened.
See Marn at 10 for the keys.
The depot is far 252 km away.
It is not far 2 towns on.
So far 15 people have come.
Her ear 5 was pierced.
The ear has 3 small bones.
He plays by ear 40 songs.
An ear of corn has 16 rows.
They sent an RFC to the list.
The RFC process took a year.
An RFC was opened by the team.
Version 2.0.1 came out.
Python 3.11 is fast.
It runs on release 24.04.
Build 7012 failed.
Call 555-0142 for help.
Call +1 202 555 0142 now.
The number is 800-555-0199.
The order number is 252-204.
Room 800-53 is upstairs.
Flight LH 430 was late.
The A380 seats 525 people.
The F-35 flew 900 times.
An F-16 landed in Ulm.
The 139th wing moved.
Part 15 of the series is out.
Article 5 in the magazine was long.
Section 3 describes the method.
Chapter 11 is short.
Title 3 went to the home team.
Rule 1 of the house is silence.
The ISO setting was 400.
He shot it at ISO 800 at dusk.
ISO 6400 gave much noise.
An ISO date looks plain.
The ISO image is 2 GB.
The firm is an ISO member.
Nist is a village.
NIST was founded in 1901.
NIST employs 3,400 people.
NIST published 12 reports in 2023.
The OMB director spoke.
OMB has 500 staff.
The EU has 27 members.
EU exports rose 5% in 2023.
The regulation 5 years ago was milder.
The directive came after 3 months.
A decision 2 weeks later changed it.
Regulation of 40 markets is hard.
The act lasted 2 hours.
Act 2 of the play is loud.
The law passed 116 to 283.
The public law school has 300 students.
The federal register of voters has 4 million names.
A federal rule of thumb is 2 to 1.
He holds 40 US patents.
It sold 42 US cars.
The US coast is long.
The U.S. team won 36 medals.
In the U.S. 36 people died.
The F. 100 is a lorry.
The CFO earned 15 million.
The FARC fought for 52 years.
The EARL warehouse has 3 floors.
ITARSI is a town.
Guitar 22 is for sale.
CMC level 2 is enough.
Level 3 of the game is hard.
The team has 5 levels.
The CSF was clear.
Her CSF pressure was 12 cm.
Cerebrospinal fluid (CSF) was sampled.
The FIPS office moved.
PCI slots are gone.
The PCI card has 4 ports.
SOC 1 of the board gets hot.
A SOC with 8 cores is used.
Dora has 3 sisters.
DORA metrics show it.
Sox cost 5 euros.
The White Sox won 83 games.
The Red Sox beat them 5-2.
The HIP system is 20 years old.
The data act as a guide.
The AI acts on 5 signals.
Ai Weiwei made 100 million seeds.
The privacy activist gave 3 talks.
Reach 50 people a day.
The reach was 5 million.
Basel is a city of 170,000.
In Basel 3 bridges cross the river.
The solvency ratio is 190%.
Executive order fell to 3 a year.
The EO satellite weighs 14 kg.
The dose was 802.5 mg.
It weighs 14001 g.
The score was 27001 points.
IEEE has 400,000 members.
The IEEE fellow spoke.
Circular 5 was handed out at school.
The memo had 22 pages.
The M-24 motorway is closed.
The gas P.L. 5 burned.
The standard 9001 pieces were sold.
The date is 2016/679 in that list.
The ratio is 4/27.
The FAR of the lot is 2.5.
The far side has 252 craters.
The bank's EAR is 5.1%.
The effective annual rate (EAR) was 4.2%.
Public Law is taught in 5 schools.
He was born in Section, Alabama.
Mary ran 5 Miles in 40 minutes.
He painted it in 3 Black 5 tones.
DoD spent 800 billion dollars.
The GAO has 3,100 staff.
No 1 of 12 CDs was signed.
The U.S. Open 2023 was in New York.
She wears size 42 US 10.
"""


def lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


def references(text: str) -> tuple[RegulatoryReference, ...]:
    return tuple(one for claim in foureyes.detect_factual_claims(text) for one in claim.references)


def norms(text: str) -> list[str]:
    return [reference.norm for reference in references(text)]


@pytest.mark.parametrize("row", lines(REFERENCES))
def test_each_reference_is_found_in_its_normal_form(row: str) -> None:
    text, _, expected = row.partition(" => ")
    assert norms(text) == expected.split(";")


@pytest.mark.parametrize("text", lines(LOOK_ALIKES))
def test_what_only_looks_like_a_reference_is_none(text: str) -> None:
    assert norms(text) == []


@pytest.mark.parametrize("row", lines(REFERENCES))
def test_a_reference_stands_at_its_offsets_and_none_overlap(row: str) -> None:
    text, _, _ = row.partition(" => ")
    found = references(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


def test_the_members_of_a_list_stand_each_at_its_own_place() -> None:
    found = references("Articles 13, 14 and 15 of the GDPR and DFARS Parts 2 and 4.")
    assert [one.text for one in found] == [
        "Articles 13",
        "14",
        "15 of the GDPR",
        "DFARS Parts 2",
        "4",
    ]


@pytest.mark.parametrize("part", ["aac: ['AAC", "pattern: 'EAR99", "item: '(?:RFC"])
def test_a_pattern_that_does_not_compile_is_an_error_when_loaded(part: str, tmp_path: Path) -> None:
    text = (ROOT / "config" / "registry" / "regulations.yaml").read_text(encoding="utf-8")
    assert part in text
    (tmp_path / "regulations.yaml").write_text(text.replace(part, f"{part}(", 1), encoding="utf-8")
    with pytest.raises(foureyes.RegistryError, match="is no pattern"):
        foureyes.check("", fetch="none", reader="none", registry_dir=tmp_path)
