"""Evidence, a claim that has another figure than it, and an honest twin.

Written before the code that tells them apart; `HELD_BACK` was not run until it was done.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """`passages`, what they do not say, and what they do."""

    passages: tuple[str, ...]
    false: str
    honest: str


def _table(*rows: tuple[str | tuple[str, ...], str, str]) -> tuple[Case, ...]:
    return tuple(Case((texts,) if isinstance(texts, str) else texts, false, honest) for texts, false, honest in rows)


PASSAGES = _table(
    (
        ("The Orrin kettle holds 2 litres of water.", "The Tamsel kettle holds 5 litres of water."),
        "The Orrin kettle holds 5 litres of water.",
        "The Orrin kettle holds 2 litres of water.",
    ),
    (
        ("Adults pay 14 euros for the lake ferry.", "Adults pay 9 euros for the castle tour."),
        "Adults pay 9 euros for the lake ferry.",
        "Adults pay 14 euros for the lake ferry.",
    ),
    (
        ("The Brenholt bridge was opened in 1911.", "The Marsa bridge was opened in 1934."),
        "The Brenholt bridge was opened in 1934.",
        "The Brenholt bridge was opened in 1911.",
    ),
    (
        ("The northern depot employs 340 people.", "The southern depot employs 120 people.", "Depots close at noon."),
        "The northern depot employs 120 people.",
        "The northern depot employs 340 people.",
    ),
    (
        ("Vorel was founded in 1972 in Lund.", "Vorel has 310 shops across Europe."),
        "Vorel was founded in 1975 and has 310 shops.",
        "Vorel was founded in 1972 and has 310 shops.",
    ),
    (
        ("The museum of glass opened on 3 May 2004.", "The museum of tin opened on 9 June 2011."),
        "The museum of glass opened on 9 June 2011.",
        "The museum of glass opened on 3 May 2004.",
    ),
)
UNITS = _table(
    (
        "Each tablet holds 5 mg of corvexine.",
        "Each tablet holds 5 micrograms of corvexine.",
        "Each tablet holds 5000 µg of corvexine.",
    ),
    ("The dose is 250 mcg.", "The dose is 250 mg.", "The dose is 0.25 mg."),
    ("Give 10 drops of the tincture.", "Give 10 ml of the tincture.", "Give ten drops of the tincture."),
    ("The adapter supplies 12 volts.", "The adapter supplies 12 watts.", "The adapter supplies 12 V."),
    ("A call costs 30 cents.", "A call costs 30 euros.", "A call costs €0.30."),
    ("Inflate the tyre to 3 bar.", "Inflate the tyre to 3 psi.", "Inflate the tyre to 300 kPa."),
    ("It melts at 300 kelvin.", "It melts at 300 °C.", "It melts at about 27 °C."),
    ("The ticket costs 120 SEK.", "The ticket costs 120 NOK.", "The ticket costs 120 Swedish kronor."),
    ("The temple dates from 120 BC.", "The temple dates from AD 120.", "The temple dates from 120 BCE."),
    ("The rate rose by 25 basis points.", "The rate rose by 25 percent.", "The rate rose by 0.25 percentage points."),
    ("The fuse is rated at 16 amperes.", "The fuse is rated at 16 volts.", "The fuse is rated at 16 A."),
    ("The oven reaches 230 °C.", "The oven reaches 230 °F.", "The oven reaches 446 °F."),
    ("The trail is 8 km long.", "The trail is 8 miles long.", "The trail is 5 miles long."),
    ("Die Tablette enthält 40 Milligramm.", "Die Tablette enthält 40 Mikrogramm.", "Die Tablette enthält 0,04 g."),
    ("Die Frist beträgt 14 Tage.", "Die Frist beträgt 14 Wochen.", "Die Frist beträgt zwei Wochen (14 Tage)."),
    ("Cäsar starb 44 v. Chr. in Rom.", "Cäsar starb 44 n. Chr. in Rom.", "Cäsar starb 44 v. Chr. in Rom."),
    ("Un appel coûte 30 centimes.", "Un appel coûte 30 euros.", "Un appel coûte 0,30 €."),
    ("The plot measures 3 acres.", "The plot measures 3 hectares.", "The plot measures about 1.2 hectares."),
)
RATES = _table(
    (
        "The pump is serviced 3 times per month.",
        "The pump is serviced 3 times per week.",
        "The pump is serviced three times a month.",
    ),
    ("Parking costs 4 euros an hour.", "Parking costs 4 euros a day.", "Parking costs €4 per hour."),
    (
        "The plant makes 200 tonnes per day.",
        "The plant makes 200 tonnes per week.",
        "The plant makes 1,400 tonnes per week.",
    ),
    ("Rent is 900 dollars monthly.", "Rent is 900 dollars per week.", "Rent is $900 a month."),
    ("Sales doubled in 2019.", "Sales tripled in 2019.", "Sales were twice as high in 2019."),
    ("The staff meets twice a week.", "The staff meets once a week.", "The staff meets two times per week."),
    ("Half of the seats are taken.", "A tenth of the seats are taken.", "50 % of the seats are taken."),
    ("The fee was halved last year.", "The fee was doubled last year.", "The fee was cut by half last year."),
    (
        "Die Miete beträgt 700 Euro pro Monat.",
        "Die Miete beträgt 700 Euro pro Woche.",
        "Die Miete beträgt monatlich 700 Euro.",
    ),
    ("Der Umsatz hat sich verdoppelt.", "Der Umsatz hat sich verdreifacht.", "Der Umsatz hat sich verdoppelt."),
    (
        "Le loyer est de 700 euros par mois.",
        "Le loyer est de 700 euros par semaine.",
        "Le loyer est de 700 € par mois.",
    ),
    ("A quarter of the crew is ill.", "A third of the crew is ill.", "25 percent of the crew is ill."),
)
SEEN = (*PASSAGES, *UNITS, *RATES)

HELD_BACK = _table(
    (
        ("Room Alder seats 40 guests.", "Room Birch seats 75 guests."),
        "Room Alder seats 75 guests.",
        "Room Alder seats 40 guests.",
    ),
    (
        ("The Helmond mill burned down in 1823.", "The Tarn mill burned down in 1867."),
        "The Helmond mill burned down in 1867.",
        "The Helmond mill burned down in 1823.",
    ),
    (
        ("Standard delivery takes 7 days.", "Express delivery takes 2 days.", "Gift cards never expire."),
        "Standard delivery takes 2 days.",
        "Standard delivery takes 7 days.",
    ),
    (
        ("Dr Ahn joined the clinic in 2008.", "Dr Ahn has treated 900 patients."),
        "Dr Ahn, who joined in 2012, has treated 900 patients.",
        "Dr Ahn, who joined in 2008, has treated 900 patients.",
    ),
    (
        ("The red cable carries 24 volts.", "The blue cable carries 230 volts."),
        "The red cable carries 230 volts.",
        "The red cable carries 24 volts.",
    ),
    (
        ("Pensioners pay 6 euros, and the pool is open all year.", "Students pay 4 euros, and the pool is heated."),
        "Pensioners pay 4 euros.",
        "Pensioners pay 6 euros.",
    ),
    ("The vial holds 2 ml of serum.", "The vial holds 2 litres of serum.", "The vial holds 2 millilitres of serum."),
    ("The limit is 75 µg.", "The limit is 75 mg.", "The limit is 75 micrograms."),
    ("Add 3 teaspoons of salt.", "Add 3 tablespoons of salt.", "Add three teaspoons of salt."),
    ("The motor draws 800 watts.", "The motor draws 800 volts.", "The motor draws 0.8 kW."),
    ("A stamp costs 85 pence.", "A stamp costs 85 pounds.", "A stamp costs £0.85."),
    ("The boiler runs at 30 psi.", "The boiler runs at 30 bar.", "The boiler runs at about 2.1 bar."),
    ("The sample was cooled to 77 K.", "The sample was cooled to 77 °C.", "The sample was cooled to 77 kelvin."),
    ("The fine is 2,000 NOK.", "The fine is 2,000 DKK.", "The fine is 2,000 Norwegian kroner."),
    ("The wall was built in AD 122.", "The wall was built in 122 BC.", "The wall was built in 122 CE."),
    ("Margins fell by 40 bps.", "Margins fell by 40 percentage points.", "Margins fell by 0.4 percentage points."),
    ("The signal has 5 kHz.", "The signal has 5 MHz.", "The signal has 5,000 Hz."),
    ("The snack has 200 kcal.", "The snack has 200 kJ.", "The snack has about 837 kJ."),
    ("The prize is 500 CHF.", "The prize is 500 EUR.", "The prize is 500 Swiss francs."),
    ("The battery stores 60 kWh.", "The battery stores 60 kW.", "The battery stores 60,000 Wh."),
    ("The field measures 2 square miles.", "The field measures 2 miles.", "The field measures two square miles."),
    ("Der Reifen braucht 2,5 bar.", "Der Reifen braucht 2,5 psi.", "Der Reifen braucht 250 kPa."),
    ("Das Ticket kostet 80 Cent.", "Das Ticket kostet 80 Euro.", "Das Ticket kostet 0,80 Euro."),
    ("Le colis pèse 5 grammes.", "Le colis pèse 5 kilogrammes.", "Le colis pèse 0,005 kg."),
    (
        "The lift is checked 4 times a year.",
        "The lift is checked 4 times a month.",
        "The lift is checked four times per year.",
    ),
    ("The tank loses 6 litres per hour.", "The tank loses 6 litres per minute.", "The tank loses 6 l/h."),
    ("Guides earn $30 a day.", "Guides earn $30 an hour.", "Guides earn 30 dollars per day."),
    ("Output tripled after the merger.", "Output doubled after the merger.", "Output grew threefold after the merger."),
    ("The board meets once a year.", "The board meets twice a year.", "The board meets annually."),
    ("One third of the votes were void.", "One half of the votes were void.", "A third of the votes were void."),
    ("Three quarters of the land is forest.", "A quarter of the land is forest.", "75 % of the land is forest."),
    ("Der Preis wurde halbiert.", "Der Preis wurde verdoppelt.", "Der Preis wurde halbiert."),
    (
        "Die Gruppe trifft sich zweimal pro Woche.",
        "Die Gruppe trifft sich einmal pro Woche.",
        "Die Gruppe trifft sich zweimal wöchentlich.",
    ),
    ("L'abonnement coûte 12 euros par an.", "L'abonnement coûte 12 euros par mois.", "L'abonnement coûte 12 € par an."),
    ("El billete cuesta 3 euros al día.", "El billete cuesta 3 euros al mes.", "El billete cuesta 3 € por día."),
    ("Give 5 mg per kg of body weight.", "Give 5 mg per lb of body weight.", "Give 5 mg/kg of body weight."),
)
CASES = (*SEEN, *HELD_BACK)
