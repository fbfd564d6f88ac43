// TIFFs. One sheet as a scanner's program writes it as a TIFF, in each packing there is: 'HARBOR PAYROLL' above 'TOTAL PAY', 100 points to an inch.
import { inflateSync } from 'node:zlib';
import { type Bitmap, bitsOf } from './bitmap-page.ts';

/** Deflated, in base64. */
const PACKED = {
  // Group 4, as most scanners write it.
  fax4:
    'eNrz9NRiYGFiYPgPB5o5E84cntn0LGGnguUMPbeDRQ7FZh5pYMrFHqHs/5/bKpYp4qkTYqc5lkWyztBperOJez+E/I8VPMu5jU24z5L1mWPlT9ZjJ/QNJ8k0fUaW+7PJ6MTpTSd0mt6f3nTUWyBSLn' +
    'aaO6YJf87+f5b/37geU+an4gk9R35Lxf9P2tLknF0nXDiBpqgDBvqBnCkbLqTJnDGRbDdO2SKuwm6c0g5VNfe2ipEzCNlFst5MEa9HtXw2Ev9PTdNnSUUY79OJT0fE3LF5+nNA/RMTCRjvnxIQKP8f' +
    'APCPQYGJQYCBgZGZgZGBgSGIGciEsn1YGBiYoGwQZoaygcIMbFA2CHAhqRFkZAHTHEAshCQuisQWQzJfHKr+N5CQYmQFs08BU6M0lH0JyJZB0qsBZQOFGTSBbCawCyAuSYGyYDQA3gSXxw==',
  // Group 4, and a second page: 'OTHER HARBOR' above 'PARTLY HOTEL'.
  fax4Twice:
    'eNrz9NRiYGFiYPgPB5o5E84cntn0LGGnguUMPbeDRQ7FZh5pYMrFHqHs/5/bKpYp4qkTYqc5lkWyztBperOJez+E/I8VPMu5jU24z5L1mWPlT9ZjJ/QNJ8k0fUaW+7PJ6MTpTSd0mt6f3nTUWyBSLn' +
    'aaO6YJf87+f5b/37geU+an4gk9R35Lxf9P2tLknF0nXDiBpqgDBvqBnCkbLqTJnDGRbDdO2SKuwm6c0g5VNfe2ipEzCNlFst5MEa9HtXw2Ev9PTdNnSUUY79OJT0fE3LF5+nNA/RMTCRjvnxIQKP8f' +
    'APCPQYGJQZDhHwMLAyMDAwMwITAwMDKD2UHMQCaU7cMClIOyQZgZygYKM7BB2SDAhaRGkBFiJgcQCyGJiyKxxZDMF4eq/w0kpBhZwexrQAdJQ9n3gGwZJL0aUDbIzZpANtjtQPIf0KwUqBoYjfCwtS' +
    'lfmhTvJmczKd6mJ7mTJGcUG8ScAUU2K0LNp2kneSb8i2g6oXPc7CQfOMrByTynu56YMO1zrJwQk1N4Qt+I+/wJvRPpSKEdKZnEDUzIyjo9u3WaTuj92a07FTObgJLyz9noCWZzwP8TGTuBKbldYSeL' +
    'zZN2rMkYkopjJsicETfmZbspcJJnRkobKE1L87LdRygH51JQtjrxf3ZKm0fRETR/fVo4G12E+0wR99WT7fKfuM8jBI+IucVOU/504r8OSiL/bI7m+Enyigv6Z7Y/MYnk5UEOwyMuYFA/ECn/AAuDA4' +
    '1T/jMm0lK+OBMi5V9gRaT8G6yEUz4jNP2jp3wA/08/bg==',
  // Group 3.
  fax3:
    'eNrz9NRicBBlYGBgzFQfxZRg7xTL9hn6BjENn1mPHSxiPjvhjbiCzY22Ez40kbKGQ2Oe9hwYdE5Ro5+keR7tJXnFpHTEZ+ibOW+IyRGfkaE4gfvshLcdOS0HaCAFckLZCTB5NKLNWXHC2wknyo6YOS' +
    'XQSKq4GEwm5wBlToA4SdKKBjSSSrFmPcFv5mxwxEiSp815RmVbNy9POwNN5Oie73iF+Q0uGnxOXbCT8dmJXD5yRe5uAnlD8bYu2G9m7dQQsdydK0ORiEPGtijuMyYCt/jIFwCZmgSkLxTQn7+r+Qow' +
    'A/CySQBFt4A8RbrAaN0yikfxKB7Fo3gUj+JRPIpH8SgexaN44LEgAwMjMwMjAwNDEDOQCWX7sDAwMEHZIMwMZQOVMLBB2SDAhaRGkJEFTHMAsRCSuCgSWwzJfHGoegtRBgYpRlYwW0iMgUEaypYCsm' +
    'WQ9KpA1QO1MmhAxZmAWBPIZgK7BuKqFCgLRgMA1pQTZA==',
  // Eight bits a point.
  packBits:
    'eNrt1jtOw0AQgOFxHghRARIgAQcAThJLVJyBmpIabkIHHWUKhKg4QkqKFJRbuHDhwjJre9beOI4EIgjL+RWtPN9mZlaJvbbD8EKeJiL3Wf15zhBCaH16z1KJ7Uiy2I6oGLHG8youc1LPxo6yx2Mve6' +
    'TfPH7+IJ91/n+dROOEdf5oHWPnTLG/yj1Y77d5YVM4Xviuzz2W/y8Xt81/aH3ckkP/9fRPVlzH+dy8pX8zn/6/6998/rr7TbNv/Swv92HZc7rRPXlz7cp7s6nOT6LnctY4ry77rUPZry3Xmbs2Zyuu' +
    '102rdu86rvqlV9VGK+v3F5c97XT24q/275dUdaMqsnecaKHCLD3bul7BEw4hhBBCCCGEEEIIIYQQQgghhBBCCCGEEEIIIYQQQgj1SbsiwVACEbka2lDjy5HIQONtO4Yaj+9EtjTOx44X7wWjKn/fmz' +
    '/w4kOv/5HmP0xEjoNxEd+EIica39r41Ks903hgx7mN82P5jci1Ru74BfbWBjA=',
  // As differences from the point before.
  deflate:
    'eNrz9NRisOFlYKi49fbuwbxHBiIOFz/9l78bGaIs+mTCjZ1TnM7ftCyaE85b7rzk4WfmFzV21QwV2l1NkxYtWKKhocnlNYyYJctWnD779/716QeN9cy/v4+db/v83pzNz/v/rdv8vOZNzHNZjayafY' +
    'siFq/4+LMrqXfRsefaXab9Gq8ir9f/nuP+/OlUzVfP18nPnR6+bMX83XUlcXEzF9W9+3WxsjK1S+q99NtAkd8ipveWa1zTyNrjH7gm8ErF/EURxdtWXKx0Xy9f+dn697KvJ+ZEn99rm/3lz01L0a/X' +
    'NbJ+67ga+gfeTtfsquy6ZecdeKb6mLlw9X2dNfOKS87tfb7u3Nbt+fly9xoXPbvelTQbiby9+d6HsHy//hqr14vCnt+f3V6+YMXWrYskgq/cigrs0czKXatxbF7olbdf187Ua35dPf/PXsvvz+Ij88' +
    '9Wvr4nXQA0cNbWRT8WrUhbq7FPY1Wkdpf+P9WF1AvqSzfjhW5Y5T+rv7Z/e33aPvf/Soxvgq98lXMt7Fu07rtGV7FI6V73wDnBNU2n4s1+74vTXPWj1SJi+Yq3vxPnLdr2vh0YGPvkn/19uuicDfcx' +
    'kaUaXl1BIqquml2X8jWzTMK/tn2/N/vpRZsNfoFdi5ZouAYGTVmk8XfaIrmPZ4+8+pw4d5GIqyeSjKZX4BSoGUvdRb7+v3XNOK1r1szwQJv5SCo/eQ7LFD/KHGWOMkeZo8xR5ihzlDnKJI75n6G1bY' +
    '0cgyADAyMzAyMDA0MQM5AJZfuwMDAwQdkcQMyMxGaDskGYC4ktyMgCVyOEJC6KxBZDMl8cqt4Y2HOTYmQFs/n4GBikoWwxIFsGSa8GlM0ExJpANogGydgiiYNAClQ9jAYARdaCqg==',
  // Its two colours in a table.
  paletteLzw:
    'eNpNlnc4G2obxmMVUUJQSqxKT42aNapmbWoTm1bVqlU1agY9aK1Yh3MoQfEpisZoqeBYMZMIIVqxt1KtcmxO9HOuq3/c1/173ud+7r9fAwMxgDYjABCjPmt2G3qFmT5O08Ws6ZEC5OyB1rz57VJrCd' +
    'ZkjKt50x+6SgLp+sIjV6E5N4SzDN3MwrRrnMRyBpctrqbgfHnysCvmBkNfo5iR+FWzJGaWVJrXhFViHgyYa1xouc5emW3iC6syquLMDfZrlq4d9R6/KoHol6sf2ZRTlq9R9P2g68fF3YhbU2kZk7oV' +
    '0fiVL6pdS5qb2xrEqN1FCpBFK0gypvZq1F2FIJXFkwfnA29HTrMrx+JnGhRb+VbuPRudklfkc2px8CZ9DlGIKsjydpkk7cljpzwirGeI+/IsfMnCv82PNMvBnarSoMuTSicsBSVVAqujH08Q5MB69S' +
    '3igy36s3QAKDTsRHDvrApPs3sUxX8/rZJucTL0uF3qPml4r20rYiNUHd/1jaxueuuMrj2dZpBK7QlUiEYh3Yj3kir+EfU/Gk/Et4BFeCjDoXYGxGhfG8UBA6v7D2lxYNhU1Nl1AkrVuQRRb4PBPWwN' +
    'UUA9BugzgZ5aciKvfjWRXQiD2tCOjv2WYgP9kOno+hvmaWQJ30DqTrVw//bgngQG/CVWqj/z5itZA1aVbNYYAM2okpaMFeQUJyunzNvBHrd2525ggzx9+yztrqhpVmTgbVxgd5lyK1FOR3UIx96ra8' +
    'nBtKZv1qBSrmiIivS6QXzK4SFslUl7BOmRv7emqJkdrM4Ky74ZbGu17aNn2JSl4+aE2YWGORHBuzqcBDY+etu+kXgPwX7C9cxtu+ChXo+xYDlfrwE2nVcSDhywxkd6IdXt3j05N/GuPdL5Y94GOykr' +
    'Pp9lyqZoPuVwLqmQbappT532VBc0p59t9ERopae2ujwI8j0wa6nKuZb/MDRH7OP8PkYW7eqlppzmuhrRWbDoPa7Zvniga9HhFuZu37l0kPCw293L3fuV+6qkYZuH0nh478q67vN+T09MQt50EIJKyH' +
    'ljTErLy/R9btzQzX8KL62DkOUxTsa6tW++mCbk4YS43cztB3kaJBKswPwFjZNHPq4fiLZXlgT8sms2G4yCeO/WzZq7fRHxx3JR1dtyqzOiJx2metu+Z2y265oHfW2p9ePIXxqYjmyBdW1HTpfj6vno' +
    'DAaCAvEq40GTqXaB24oJeMsQ3hu3Ps2F+Lv+PRCFq2r0a/G47/IsUo/uwZ7Th99JIcgb2a2hzv5Zs8FbUZYvZlTFdw781Hqq54ucG823QtrKvb6bEBUzZrYO1ZILKs+il/bgeaDZ3NN10spRdNjZ9r' +
    '2ZgyR47cFp/QS1q6C4kuBl+mMWRrrf786x/mUleZX5hdbMN5E4E1HOZJ1581CinxJnSu8j8FUOXb3rWTol22FWNSDRnHtLFmtxOB3ZPOOFQK/ur6J3kKZz9et0LGyar81ngx7rgLPvFVl6jQ7E6wZY' +
    'VhqLjYXFuzferLFxVwAGw3uu19m5v09SRY7xvXfwUARGDUT7f9Sr+dHSuCwU0aZVS9p3p6cDdrp4NiXCBTjpMK5eSkwshsZpfW6o5hRrb7b8zpV39kynSQel6LWaw+T/VS69bfKubmGyHiA01G2+dU' +
    'i+tN6CrvavPAaWA0u6UUuy6GRFMT1M2Y8KPqb7sqPE9KCKAr/2x1NkRIgInKkwXH7+44FK28veSvMNdMRr+OM/uxZ22k6Kz8RJC1THRe1DEEB8u+Fb2i6NPiOGVx2G3azdHX1y3LmdhmQhhs6hIOnn' +
    'mimOcn1dw/OtIGgGrR5rWYDyDWYdURXbxW5UnA27bkCKDJdSwFsJ3mZUqRukk22ySkA/oCHiWu+3oOfp/SbkDFoDxEYBjSHLcSqf4QgtCjpoEdksOjjM8aZpwPJyB8DI1Kj/1hB+Z3gXa+kzcWqM95' +
    'lTwpl2r+71ZaI3VfCghh3kMKiM9hBPZGbYN8O3smkSTIO5j0dAbtBTAtFJZNcCfyKjP2qqowQYJVZrbFuZ8RltwVhVDYzHTJbsaMdZxtzo8ZlYJ7NxRKNPDglRFsVEgqnGLNuaYRNhEzhYBvMnhE4B' +
    'iASeyrb9fLmsDGyfuVltP3k5uzHA8XJr3xB5aGoYN2V0MjE8heWbHZk2Vl0lTmOdvo3PGEftT8xgkYDPs8ZtDORZ7DTr9JzxKffsHI5fcH7eRLXVeR4Bl15dMEFKPFhA4FRdF0Es+t8nM0913Bfxaj' +
    'DPpTSkk88yaNrtyXK6pO/TFRu1sKAVknNsyKoNPDF0lYTMCF+zacuNXCNNF8PXbU4rYtYn+FHPv9iqNcd9mXDuSNiwhfe/3JhAEpKW2CXHUjYnpucQm1nOS+lfsxCbmVt2Kmlok6Nlh3b8MYtrB0FF' +
    '0ruLcGwS2DOq4sOV/9QxhXegM7JQonf0GC2O60If6wz3QPAyhB6HPUu1H8FSpld20Ht2NruEaDenfzJ6fR/usa2ECQXD8MFueyP3XYZDrdsTfzu4cpYtcvBXe4HYoaVAcdphlml1xhF7dGP2UVZt65' +
    '/H7DOxj4/tCvvvnlipE16d/OE/VXBqt7VWePoZ9L34zF7qoKR9OQvA40jt9Y6t/G/3EmqefODjdzJVfy/X0/KQwd7vzGs73Lsu8UJ4fN4F1HcsjzLwOiw7vEv80Om+AOTNh7pJV7R0YiaZXpFl/Wtq' +
    'uBVtPWeLW8JeSPLwNTGEzxcfxb2UvCPU9DJp6dq9vJdfZa9/9ERuPPROT5LiF23uq1x9PVgKB5pIVoS+XxdqcA2VcRrHcN3nIm54hqByP2F6A3kL0E+eoQgzGD08pIAcEoqqMO/t/ZMfCYkJ22Zc7N' +
    'Mrv8b/NiGsTnSjr7dEGLmRHr5t8K1f78P1wpuhcXUuW/3lJBEBH2Tk08T9Ab1R0dc7lSng4r2BPpJ4YX4dvI5wNOjxQ1KA/DG67vvZ4CqNtCCkM6YeTDPkyS4r6DgQWy9LP7QqLCeYP/K83oIJ63lL' +
    'QZD8+ff6pyDsqtZtIUh+fH0SO87T8o6Q42LCrUouXF+AcnH+dgIqJ1Srf42lHK1RKH0Y1W1wxFp+rF8kwxPbvc4EfmNkVPTdIr4HKMDxxsf2tYx9IiZc/MqbIcccttNUjOimviuWK3UHLkcYsxSoMB' +
    'aBNaDsRiodDEp8oYiggduj+nvGJdV3EDtJJqOJ9KbCm5LWu0ANIiPIvFRCP6NRTJu4xmUJTTXL2DU0HDO4ASvF2mbuPjYd61c0LZdwtofSAtgBACoaABUAALCgoeAFG9ECANQXfC6aC6aj6NIFU+IA' +
    '4C8ZNiran85AEfiXd85f+Mov/VwXeWXKD46Hiu4nSwIBAN4LVqAw5JdbkQumpkiUwud+vlGj5M85nJJXp/AlChtSWIOSOWc14M8g4NFFz38OAJyd/af4L+aUOQbQtfvmfEGNHTL6Wf5/jwFczNRpnb' +
    'vnzqrIU/RzFn9xXi4I+BcBh9rs',
  // In strips of 64 rows, three colours, as differences from the point before.
  rgbLzw:
    'eNrt2FdQU127B/ANCAjSIfQiSpUmJSAlIF1qCC2EqtSEgNQQFESUJgrSQaSI0hVEIJQISFE6oXcpolIFkdBEQQ76+s28V+fiXHw3J5NZ8/z3ytorOxe/mWcvA4MLgLsWAIRrfLh8WoidnjpS65pZva' +
    'siH+M9HWfYpQJrKY44PRdY/ecgiEDiFVdzZaF0E9FUQzdzvGutg8wjY3cL5YJxb6VsUw8L/Oe9Wxp5ZkhLFWH2eP0Cs7PQHyaKOdASS08rlULrcniZNdrq9WJQk9MrGy9rVeF0ggfOajUoy6121qfe' +
    '/jpctXB8A9vo6ANvWNw7ut3iuBHMK8JBH/PO2c+m0V2JL6HL1R+hVmSNjeh1D0A0LmEhTwaRgbYQkQyT4lHtau4c9zqHikmvIDtI0YR33cx15I+m8f1bzR98g+3VRTniOz/7u/L0w5VyBlYCbzqoF8' +
    'PLJ9avHOTkLmOb5r8FhzpqiGYQzDYOjhybPepmN7+HhjlBRItX9w/Dbjs1L+8fHrfQnNkAWhIl6SlamYxBlK0Jz6mp2pjihGnaEsukzrylOaSme5u4DmF8x0yny9yUOGPA2s5sbAVqT/Ky79QZCnXj' +
    '6kgq8+bpZO5Bc3bC1m8JdLHQRQm+3foce76bxThNuDsZXXjeYDiuULwnuaxcolIuslKqN3m9SaaPlTZCythCkiBPYDUeU+hLsZ9V6meNW1RuD/BaVR1g7duFDCSEbqgPstFTag6mSqA1BkdNQLpDqd' +
    '68b4bYbgkbDKeWSxmVjMbLmoykbkCgo6cLwWajaVImFmNs9PqWY2neDvBxljS4zXhaubfdBDOfh/1E2sYtp0nGduzVyXSpeJcpBu8Y16l07xyPaXpQBnI6vbwc/f4ModjrffpGk88MbVqd70yGFCFg' +
    'lsaqM3A2w3sWO3daaiJ4LqN8I2QqI2fr1nzGxpGlE/wX5Z0Pj6Towz9MmoKiFlIUmaM/cj4Uju16FCb+4BNnP5jFeXIOkvCZi47+4WeEtEnKIqOiQepi5nWHDDyX47XMpcyXXuPuiDeYnOXM9WvUy9' +
    'MMUU9X4hkCnq1ym6YVlttSZRavcT8swCF/5Ja/+MLdR1mMtv3aVLFOk/7i1XqWNKFwPUR9rGYjs2ik9ivPw8X4jZ+5Gw2bnCJfGjezvh4FbYYcU7Z+S6+jaNvihYKcvh068XUSOanwXcTsCinPrcZm' +
    'MGE7ZVO+f4ePUVfh7FkSl/8al9qzdKFRnffKQoEuptAogQJzWmbBQqI5o4jwsL+w2GVzOfELwsnJTyWF/YcFpc8PfyO7eLaahU/ubAJuMKWvy2s83tjCfjrZ1ByH+cNFGZfy/FEStKtxLq5fTstOqy' +
    's5bj3BDNnOLDLkuci9YS62KPIAtmL5PcpMYZFecrhkVvr+iJiJYuJI9ZiV1VgSxnRwTJzSOXYUWWhkBiVCWLVHxcY8Y8eJGzfL4Nv00XE2JfF3I6yIt9QjCNY3rdzzxg0F3fpqVZwQY7UnXNr28iHX' +
    'z9cJNaPO17bBMCbpw1JowX1nEz8xjsgFLNyyMEBiltVkKwyO1M0Pn4RPa4QI1rmtwpzyqDh8nTnvA8Cdyx8SbRT4mWmitBYSJwPVBZljdT4m2eAcZbni9T4lTe6EMR0nXRFKRijkMpClablCD4RKKC' +
    'ST2kRYxQPvogUze9wCShvDAqjT25AXPXk/hmjltJa8soWQp+gVtqJeGYbefEHxokci8UIfbR1vRbjkRVW+dLBHaauUxY92vRx0tf2FCQmT4ZogwM5t/wHl2oHDvQ++NvaKAsyx7c5bj2aCNASTul2J' +
    'mfa1TrKZBPftzJmofMjTlAWpba5dliPXJj2FNBPTCERFi1f50Kx3NerWiHltQ/ysUQjP+5XirJ8JVJsdr4kyIY/1L2z3LRDdpx9GHWdWfll7bb8W46M50vG9PtdJ6cnQ6u7No9x5bPPC1kHoryc2YW' +
    '83Nom6h0711T82FV4+RwG1gxK3yBq+GWZS1Juhh4/PvaJoGWtODMmiVb2Ik/ui6augTK7DZAFletsXee6wXdYSzq5bGejEqSeb6sGtV5GyxSOfpCVK824wUJfqCtNhaIXW19FYOgMWtSsfu81msomd' +
    'yNQQkcvmLxwEJc0aC1p7/RWeSLSynhGQ1pdXGFAwkbecUDSpDpy/pJf07mOncUloyZySuc56DJTh1K5sV1XfbUjv5hHdR+g9r8NPg6w94nrKvmnMV4xGeUovdyv0cumapu5qmFmCQfrmljVg08F+jB' +
    'bM9Gngg3x96JaU0kUY0RulPbwz5i0BT3731GACCrGNsvra7qI3XDMGctbGEbIQEyOgQjnzNIcKLzvFsbrrdrW7b/bH4OTySOu9QsqrCEupKNtxOHjWcQ505Hd1Fmt8Ay0/IRkR4phhdYSdukQvfHtm' +
    'X1gqpCdYD3jrhOUXuOd8KV30vnM9juDnvL2xLT0V/FHQRTVdj+bOOMOtnxEGwYp8qDmoow3+04RbQOTcDUeNR0t4Ko7U2XrQQfRFfDT4GfK1YkIBSsU6PeqTirt/j5qUEVepKko9J/3V646nuUvpYU' +
    'UpaN/oluR1q/fC1YKP+QfKtWql/eKXEMMNNas/azcbfVTH99+oN5gmV67F55a1r5WZElrWVTE5L+deH9NUbfmMdyX78eYzN28cPOF9S5yZO5OBzqH7Uu/TpAQdxUDg8HE/s/GDd5X2ivmt3w7TDV8G' +
    'vM/9lHpxhsDam380gZrYzuFn7PJvenOnY4frl/enkRwZu7Wbb+oq1kNUlG7nB0GqGz5v81W0f5yG7Ges3CCOLxJ13xA1F6rClv2SXI99cpIdNeC6RzvZP6fDmajILl+iIbNw2UbGlye2xAz/uooWCU' +
    'uULWtZHt90+tJ1dxD2S7PAdRaxwxtBT5nTvMf2k9/ze2RcEF0rhTB1noJMNFMHl/Yl5NW8FPY7xlsrrd8RFOOqS3fXn/PVLPnQXuOViPmmuyPwyH7rGZ1arMwak46YDIOzHDYGptauM4nmcN5ximOO' +
    '5tQOkgA9097V8WOX79CbYvsYibyRxCCqdZqDZQBnH8WwodsEdhDgHUU/7Ccy694z4Y3TCY4zF9G9guc6b6vm5eyX2dlZNMbuUhDml8yt1q1MfTbfMjty5bmOVqkq/8fG3BSz9MvqCCUxN6EnaR20sK' +
    '5VlJQbri6DpuOKrLiwpLBxRfAX2eHeqQiRc6cyUrdq+d91x3O7HeqnVlm7EsR2LxZl30qsRL7rVQ5Qct+Zz2aN3OutPS97rozwUD7XlYASVxS2O5/pez24Jxb3eQkvnD30+pzxAQ3YnXclZqgtvP/K' +
    'stoyiPopm0iUWfWEJmfoQd6oltigMoVcSfZguvyeGbR7VU50Zz+Y7c5P2GNVzWcFP/JwjvHmhlKX88p5cov4r5v1oExQNUrFbO2NsAsOaqXmjzJG1+4bdo8YCrQz5zGZFpi+TnZfzS7KqfyF7F8rti' +
    'x1XX9e5Y6x4lqArhKcykDRldYqcXOoT9WFKeaPrBFWtj3rXrc+m3wf6nlqbVwILbcqeg5/Xu4gQQirwAzXJ11YckVrI5/VJLfbNHC52Aoz2GNytiZ6avRf4AxDGcNeJmWdsROh1NK3Usyzof2JFHco' +
    'qMI9VpoaVkLTYWJejYt02qmivL2rCqvO3O1GZMnAPB3sH+0d/ez7qIou3cjHdXg22vCkOHgVtr4YzR2DNmRd7Yrv8LXeOrCT8MFe351vPN0zU/4T63k9/kVV0LMV+5u2Y18Xl6pTrYkD6Dt+krucTd' +
    'bOhAmaX9/RacRgmdwNm/uxwb6K1K2cwr5zh6AI3yDGNk59mmtqYnMV/KC3nB701xqVY3z3BKwuyTM5qxnE+imKtnMWgxz74A/8gmQ6ODu5XFR8oraKlDo5l/lcGm8kWM8pdk5RC7qqxSb5K+orICiE' +
    'XBszU/yDoD1cequLkqVp/rXwXi4PXteymgz/Pac+rhhZozj8o21FDwJXMdi9djszwN2nn6tT2UNtJWs7CDPAtQzxaDx4YjyHHZim1kRCaJ4GytIPcgvoIpu48gODrg6paBigIOKFgbVywypOJqgm5e' +
    'LAPaoRldswT4hBKUZhflTliZVnE+IFJmByTKUZgYagyjHVLOMq8w7ophsVGCLy/2uDlxXOiJWheIC9DKk4BW+fLwoOGZae0R6g3fsAIc7HoZd7ie3q326XeexFaLzsoyT7p8E7Q0c+pbFaxh6lWfKZ' +
    'P7JNPFskUqtkVDqi7dX0Jl3BK+J5pvPMLDQMzWKHZjutsl4OHB3McW5cBVvyMBbhLZzvA32obQB/o4+reayul2VQYkdX4MP7V07bJ0d3VRb8fR96PRxiJFzo7xXFrgEj+skYsPDqy2qkyFOc9HvDHI' +
    'rn5M8xK2mx6pCBjf68D6Ws/e99ks781uRMmKZg0pVPAJeCiMpxskG43L2dhwjpNGOhb7HGL9HUWQThalQov4t6ZrdYqg2BCqOROHx25PWppSzDRIuzuBWwOY116eiFmgvgsNZrlTbr6Xbg3CFUje1G' +
    '+nvMmwU/vP3XDLuaua0bTY6bGe93LtTcbrX/wqRG53OG/G1H5Vk6B348osJZ7pJXrrzE/d5w2fpDvgrVrOQlv6kmeoaMgs7VZdZp03yNyimvvSyH2nk//Oz1/azZveM7rQu+39NmYziSaMahIrZzPn' +
    'JR/Ss74MNy6wcp+ROWwQem8zzl893YAH7JuhTliZ0g/NGT//RJTnXzWwdHYcdZvNs/3uNRbKdGG/tGxh+03J+hG249jWO7q8VEDqJRq/B8uati+pyZtorJ5ZjmnSybPotOpQKUTfdPn1QqpMkh/e3L' +
    '5GqLb2/JV21Yn+837aRGO65W2UNZxgam0Oh7b6voXEQMqgKfiBnKpRZfMKzCGXAafjFOv997r6Axtu90artQN1Mcga3vXmSagtZQWadik5wkn5RpNW5TDSo/uq8Ord4RlRxYExqNGbyHoYseOu3GFk' +
    'VIyXbR00qJP/etbVtKQMCCDaRkaoH72yeZmoGFEkwu46o0DC3Adk1wwuD0E8t2jDfKpt+qD4XoB5UNOI3ugWKcbWrBCa4IRfNuC0RgWgRC36/mKSPcn42zBhwQZ9xRMu4djn+/I1XnYV8HHgh0ULKa' +
    'CNLFgsbsutJrYDd664RX8HbWhfXDdsNgidB54tFm0Id6RcbIa5esOaIRj9jpg/Pq41uVWrEvqb2klMZlmN4/l5p3uCpfJPvwGl4RmuqmbA1Pt+SiHIrNu3GfMvMz+KtU0lWuRqsEsUyqm9WLO9dp0l' +
    'f+0yftr8AV0SXIFIZCJ1dcU8DjBhVCxQuTm0UV91ez2DurvBoUB3DXpvgFK75MzOFfjfPE5/NP3+yY/oXGdmDxPln5nbhvahzUbb6NimnF9q8fzjdNW1kvexJBy3yxPoxzuyF+2f0Nftv2GhqDgRAO' +
    '/WEor0lO+3aqhpTObqqTw9Pp7LexU2uh+95jmKZmozls0/7tD8HSUKjbrlr6QrO/OlT09dYvqOfCTR7qjM/+aR7XFkLUJ+q+hrwhtn5EOCqVdhzgO7sJ349lyOC3YAKFdVjIbezqj7njzcPbGhP7v8' +
    'Im0Z9uD1wAGjsnZ58ECPkztsy3FFsfCcRRY5k0f7VeEqe8iuNAyUS5tlD37X4IyAkz7WAq29uknmmY1DfDvGlRekGb9+6fPgk8QJWuQ+f+LppH67TQ0bVA8pgNoFq7aopBIPu8h1nlbm4witU5EHqf' +
    'WVddR/cBwzlm3mubKsLqGUPk/DePXGCuTe+QuoxXQx3uyj4T16uf4nEJ9FFnhjnrIlt081Pd4s1+kLeXRPDZ0jnLwJJZ9JA3+F3U7B6y/NMnGc1gbWBDcZ0oMtqFw1Ox94gQPEJU4D0iNBEmYtQ2pU' +
    'T9TOdhGkuRlSHeRsc1sjydpQNhpHzSJ1V1phHnHIzwN2TcdpofUc/Z93HFyrordGayirixK8fILQUOPGbVQ5koe8u7F0xksbp7m+Dr95dws9ms0X6myt3KCLX57JEijCl+StUjoCi5+s0NqPIqxAO3' +
    'rzPyLBSKP9Dw2DnOY46GDnLTaCLBJ32SUNzAc5A2EsP4jE0PadYjrIus4chnc9eFGYL1kbsCBWxRG0M9ugYosGghW2H+sKGVEQojU8TW7mze4/ZPn7QoMmKIgaJ2NUpApz5b9ETBPMH6pSBh3wHuNA' +
    'tPDPQ5SKfO0rDQyrMG/gLE/tzqMR7uuetUAL7+ylqlG4FWOC6zyq2xfj1l576BKh/rwMNVVmXQUZgK0FITvH7W4cvi7VfsVK0aj4+uroNjKtmF2ybtQC5emIQqurzwcNJJC+lgknQwSTqYJHEhcSFx' +
    'IXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcSFxIXEhcflvcYk/R84KAGQUABkAAOYUJ/FvNj4FAOQn+WQKuKoNABR/5y' +
    'lPBtXfTH4yaP/m34OZ7BTAclJfnqxn+dc86G/+vRf733z5ZHD8Xe9+sp6bjPLPvNlJ5vmbbU4y77/2EfvX74qf5N/19zeQf82rn9z7u4roAIDGSaY6yXvafxYCrn/3+U89/ecjc/JYCzQAEEsN/Mn/' +
    'lyFP9ns3AFA6yZz0APCUDQAGOQDgmBsApPkBwEEQAOKEAKBBFADWLgAAlzQAXJEFAKwCABQpAcCYCgCcUj/ZRxMAor7ATnYKB97ulvx+aHJCn/Gfv/lPDQf+XpMntO3+rkxK3Hl/riViaE/KWeB/AL' +
    'e8YyY=',
  // Half as fine, its tables apart from its picture.
  jpeg:
    'eNrtl3001FkYx++P8ZJeRPI2ohJ5CSGvaebEIi21ElmJSilMKpSmYtqsXrweLDLa0UZqrGkimdQIYYZoFYoxVMygSVONl5IdZu84s3vsOdU/+8/+Mff3fe7zuc99nnvu7577z/XwMAF/LAJA1C2qA/' +
    'MVZQwRMoKoAFEPUEQQALCAdTXJ6P+vwuXeGW7uFC3dCu+MEQhq0LnOjsRRmZRvFJPfMLVjzvOEjX41NTRic2GacyBHNmwZb3UO671B2ngmOX1NNMN9g4mWodvt+2nq0w9x3Rus8GQFlv2f8vEdwg0E' +
    'XXpMUe7bgh47PVzbB/4Ir20zPrv/9q989uKFD7yF+JFtuwIaD+C6Fpuzdmjisjo7VfO38uenVy4Rrj85dcq3DzsTgCcI+Mzs6bipZ4+Y+XClHdiI2ZX4W6zotj7NkUcBe1CPSbqjVt5dr5X5JMOe0d' +
    'HGeU7FHDLX7a9KC4zE9tZyRohU/JJk0zwuWntXledwpDJlbVxW+q0DfGx9l2CEubls0GzwraB3YYt6X6G9+H+qm0df0WlB+smhT3lZj3GLzpLZhKbNYzOIsGRQzdv1i/LrXIkvfWHP8OfICopqEovL' +
    'D3ICqxgKHFe6eW6uqpWQSgubqC3pss1yoHfnjdke4kan3QndFGTsNKmxJn6KQLg1XGmiar6nmrSJT3+WFbnog6NScBldsKU9nlfMHp1gJ3m4Pu4NnWcmLIqk0nVCekiV+e/M6dzWqEPMDUdMThEcYt' +
    '0tWjWKLi98eT6cWFI3n8JvTakx5ffEHTE+pkiKWJ1m06KzO35d7oeK5146Ebn2tcKwwwP4UpJ4x+mM5ElximWOPUdQlKmRtBUj16L3oODlWwd+UkjRx09WXguCYvNTUuuOv9puHfDYrLoh33INmxCb' +
    'wVCmeJpbnNDbIwJNZy+5dmrcbl5Gu1R+qO6FwkY/Cpfo9SJG18/xdO1Q8X+9yHnWjm4B68Y0YwI5Nl4WN4N2pOJm9jH6hxZZ+3wfM+CyjI6JoL5El9HaE+/FXnzYmNeBvtrXgZlQCg6kU7VZwubU+l' +
    'ad0OIcXsO59SdOdwU/sAs5fM3y/cedTXxdg3R0YZsnyeH3hAxXl1gsi0Lcdb+Sk8KpdrYw3EocYD9Kvv9eQS8RE3FdVZM/MJYXP9lHg8XUfxWTb97EtOH2s+9rcmzWcr9ySSTyXR/8eV4QoRabbUDT' +
    'zh4idM9sr6wZVaGLwBmCiRmBa4AXATDjC9LCbEyphgRTdPRoAsmk4tHr3BH9zylO9EpLIhu1O8o4nEQRgeU8rPKQsdzldkDTwODcS3Cy2FTnMi/DwmPctsGQyPjA4aS4s44v+kqpQ3YtOQzrRrNSj4' +
    '+sEGaLvFMZKU/n2dS3T35vw0X9psIFk71xRz3vVpwbPkzMrxznJp22XKVygaPp/eSHspWbRo3qMXZ6gXPQR7ddy+lxc4EdusqJc81lOveACDilT4+HD1r5Zx5sjVpAfmM83nhR1T3DTUtwd2og8YtY' +
    '8M1TlEoqqaSSSiqppJLqqwoWsVQAQGQBfLcCMuwQCRvKACAjYUVoshJWgCYvYbEpzWEVBPVPvuqc+NI5rD5nfQ1JPgO+pbURuVm+ogwAWsI3IOvMqTWSMCwFxpDFXjyzE1EAe+DELeXZANgnyf/bw3' +
    'c6GyQsBkZAB+gCfWhakPXBCmhmwBTyWuAEszfC3g5+TuAU8Ae7gAeMZYAzIA/kgHToU0ASuAIqwBCoh74E9AAKjKSAJvj4b4Gjd2ACkUFQiAzIB3UIGrFANMEUsgbmT8PYpKgB6MENySGzDUgaIiOL' +
    'kpNXUJynNB8m3FksPnVZGZSsnBwKBWfj4DxAqciprrDcKL/Ee4/CyqNqVj9l/Kao71xWt3Tb0w+rrPdGnZ2npK6hqaVtYLjayNhknY2tnb2Do8t3rm7umzw2+2z39dvh/2NAyL79oQcOhoVHxxw7Hn' +
    'sCfzLh58Rz5y9cTMrM+iU7J/dSHvFqYdG14us3yCXltyvuVNLuVt17WN/QyGA2NT9q7+h89ryrm9XTP8DhDg4Nv+a9EYyOjU98/DT5eUrE+gt9WUe0',
} as const;

export type TiffPacking = keyof typeof PACKED;
export const TIFF_PACKINGS = Object.keys(PACKED) as TiffPacking[];

export const tiffPage = (packing: TiffPacking): Uint8Array<ArrayBuffer> =>
  new Uint8Array(inflateSync(Buffer.from(PACKED[packing], 'base64')));

/** Tags of a page with their values, each a whole number of 32 bits. */
export type TiffTags = Readonly<Record<number, number>>;

/** The bitmap as a TIFF that is not packed, the first byte of a number being its highest; `tags` are told in place of the true ones. `next`: where the page after it is said to be. */
export function plainTiff(
  bitmap: Bitmap,
  { tags = {}, next = 0 }: { tags?: TiffTags; next?: number } = {},
): Uint8Array<ArrayBuffer> {
  const bits = bitsOf(bitmap);
  const told = Object.entries({
    256: bitmap.width,
    257: bitmap.height,
    258: 1,
    259: 1,
    262: 1,
    273: 8,
    277: 1,
    278: bitmap.height,
    279: bits.length,
    ...tags,
  });
  const bytes = Buffer.alloc(8 + bits.length + 2 + told.length * 12 + 4);
  bytes.write('MM\0*', 'latin1');
  bytes.writeUInt32BE(8 + bits.length, 4);
  bytes.set(bits, 8);
  let at = bytes.writeUInt16BE(told.length, 8 + bits.length);
  for (const [tag, value] of told) {
    at = bytes.writeUInt16BE(Number(tag), at);
    at = bytes.writeUInt16BE(4, at);
    at = bytes.writeUInt32BE(1, at);
    at = bytes.writeUInt32BE(value, at);
  }
  bytes.writeUInt32BE(next, at);
  return new Uint8Array(bytes);
}
